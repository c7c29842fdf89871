/** What integrations and their states are called. */
import type { Integration, IntegrationConnection, IntegrationProblem } from "@parley/client"
import type { ChipTone } from "../../components/Chip.tsx"
import { message, t } from "../../lib/i18n.ts"

type Kind = Integration["kind"]

export const kinds: Readonly<Record<Kind, string>> = {
  crm: message("CRM"),
  store: message("Store"),
  payments: message("Payments"),
  team_chat: message("Team chat"),
  notes: message("Notes"),
  webhook: message("Any address")
}

/** What somebody gets of connecting one. */
export const gains: Readonly<Record<Kind, string>> = {
  crm: message("Contacts, calls and resolved conversations appear there as records and notes."),
  store: message("Agents know orders and products. Carts that were left can be reminded of."),
  payments: message("Payment links, sent while somebody talks with you."),
  team_chat: message("Conversations are answered in the channels of your team."),
  notes: message("Contacts and conversations become pages, and come back when they are changed there."),
  webhook: message("Signed requests to an address of yours, for each change.")
}

export const triggers: Readonly<Record<IntegrationProblem["trigger"], string>> = {
  "contact.created": message("A new contact"),
  "contact.updated": message("A changed contact"),
  "conversation.resolved": message("A resolved conversation"),
  "call.ended": message("A call")
}

/** How a connection does, in a word or two. */
export const stateOf = (
  { enabled, state, waitsUntil, problems, arrivalProblems }: IntegrationConnection,
  now: number
): { readonly tone: ChipTone; readonly text: string } => {
  if (!enabled) return { tone: "plain", text: t("Switched off") }
  if (state === "reconnect") return { tone: "danger", text: t("Connect again") }
  if (state === "failing") return { tone: "danger", text: t("Refused, tries again") }
  if (waitsUntil !== null && Date.parse(waitsUntil) > now) return { tone: "warn", text: t("Waiting for its limit") }
  if (problems + arrivalProblems > 0) return { tone: "warn", text: t("Working, with problems") }
  return { tone: "good", text: t("Working") }
}
