/** What webhooks are about, in words. */
import type { NewWebhookEndpoint, WebhookDelivery } from "@parley/client"
import type { ChipTone } from "../../../components/Chip.tsx"
import { message, t } from "../../../lib/i18n.ts"

/** A type of events, or `contact.*` for all of a kind. */
export type Pattern = NonNullable<NewWebhookEndpoint["events"]>[number]
type Kind = Pattern extends infer One ? (One extends `${infer Name}.*` ? Name : never) : never

/** All kinds of events, with what they are about. The type demands that none is missing. */
export const kinds: Readonly<Record<Kind, string>> = {
  message: message("Messages"),
  conversation: message("Conversations"),
  contact: message("Contacts"),
  call: message("Calls"),
  broadcast: message("Broadcasts"),
  template: message("Templates"),
  order: message("Orders"),
  cart: message("Carts"),
  payment: message("Payments"),
  connection: message("Connections with other systems"),
  provider: message("Providers of speech and models"),
  ai: message("Allowance of AI agents"),
  voice: message("Allowance of calls"),
  voice_agent: message("Settings of voice agents"),
  webhook: message("Webhooks")
}

export type DeliveryStatus = WebhookDelivery["status"]

const states: Readonly<Record<DeliveryStatus, { readonly name: string; readonly tone: ChipTone }>> = {
  pending: { name: message("on its way"), tone: "plain" },
  delivered: { name: message("delivered"), tone: "good" },
  failed: { name: message("failed"), tone: "danger" },
  discarded: { name: message("discarded"), tone: "warn" }
}
export const deliveryStates = Object.keys(states) as ReadonlyArray<DeliveryStatus>

/** Whether an attempt has ended: one that is under way counts among `attempts` already. */
const isTried = ({ httpStatus, error }: Pick<WebhookDelivery, "httpStatus" | "error">) =>
  httpStatus !== null || error !== null

const soonMs = 60_000

/** Whether an attempt is under way, or comes within a minute: then a page reads the delivery again soon. */
export const isUnderWay = (delivery: WebhookDelivery): boolean =>
  delivery.status === "pending" &&
  (!isTried(delivery) || delivery.nextAttemptAt === null || Date.parse(delivery.nextAttemptAt) < Date.now() + soonMs)

export const stateName = (status: DeliveryStatus): string => t(states[status].name)

export const stateOf = (delivery: WebhookDelivery) =>
  delivery.status === "pending" && isTried(delivery)
    ? { name: t("tries again"), tone: "warn" as const }
    : { tone: states[delivery.status].tone, name: stateName(delivery.status) }

/** The events that an endpoint wants, in a line. */
export const eventsText = (events: ReadonlyArray<Pattern>): string => {
  if (events.length === 0) return t("All events")
  const names: Readonly<Record<string, string>> = kinds
  return events.map((event) => (event.endsWith(".*") ? t(names[event.slice(0, -2)] ?? event) : event)).join(", ")
}

/** The host of an address, which names an endpoint without a description. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
