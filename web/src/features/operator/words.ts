/** What operators read of states, services and events. */

import type {
  FlagGate,
  InstallationEvent,
  OperatedOrganization,
  OperatedProvider,
  Resync,
  ServiceNode
} from "../../api/operators/types.ts"
import { message, t } from "../../lib/i18n.ts"
import { fieldsOf, textOf } from "../../lib/record.ts"

export const stageNames: Readonly<Record<OperatedOrganization["stage"], string>> = {
  staging: message("Staging"),
  production: message("Production")
}

export const flagLabels: Readonly<Record<FlagGate["flag"], string>> = {
  voiceAgents: message("Voice agents"),
  voicePremium: message("Premium voices")
}

export const serviceNames: Readonly<Record<OperatedProvider["service"], string>> = {
  "speech-to-text": message("Speech to text"),
  "text-to-speech": message("Text to speech"),
  reasoning: message("Language model"),
  moderation: message("Content filter"),
  embeddings: message("Embeddings"),
  messaging: message("WhatsApp"),
  telephony: message("Telephony")
}

export const providerStates: Readonly<
  Record<OperatedProvider["state"], { readonly label: string; readonly tone: "good" | "warn" | "danger" }>
> = {
  works: { label: message("works"), tone: "good" },
  failing: { label: message("fails at some nodes"), tone: "warn" },
  down: { label: message("down"), tone: "danger" }
}

const nodeStates: Readonly<
  Record<ServiceNode["state"], { readonly label: string; readonly tone: "good" | "warn" | "plain" }>
> = {
  open: { label: message("takes calls"), tone: "good" },
  late: { label: message("too late with its sound, takes no new calls"), tone: "warn" },
  draining: { label: message("out of use"), tone: "warn" },
  stopping: { label: message("is being stopped"), tone: "plain" }
}

/** The state of a node in a word or two. */
export const nodeState = ({ state, lost, lines }: ServiceNode) => {
  if (lost) return { label: t("not heard of"), tone: "danger" } as const
  if (lines === null && state === "open") return { label: t("runs"), tone: "good" } as const
  const { label, tone } = nodeStates[state]
  return { label: t(label), tone }
}

export const resyncStates: Readonly<
  Record<Resync["status"], { readonly label: string; readonly tone: "good" | "warn" | "plain" | "accent" }>
> = {
  running: { label: message("running"), tone: "accent" },
  paused: { label: message("paused"), tone: "warn" },
  cancelled: { label: message("cancelled"), tone: "plain" },
  completed: { label: message("done"), tone: "good" }
}

export const eventNames: Readonly<Record<InstallationEvent["type"], string>> = {
  "operator.added": message("Operator added"),
  "operator.removed": message("Operator removed"),
  "operator.password_changed": message("Password of an operator changed"),
  "session.started": message("Operator signed in"),
  "session.ended": message("Operator signed out"),
  "organization.changed": message("Organization changed"),
  "flag.gated": message("Gate of a flag changed"),
  "resync.started": message("Re-sync started"),
  "resync.paused": message("Re-sync paused"),
  "resync.resumed": message("Re-sync resumed"),
  "resync.cancelled": message("Re-sync cancelled"),
  "resync.completed": message("Re-sync done"),
  "node.started": message("Node started"),
  "node.drained": message("Node taken out of use"),
  "node.opened": message("Node put back into use"),
  "node.stopped": message("Node stopped"),
  "node.lost": message("Node not heard of"),
  "provider.failed": message("Provider failed"),
  "provider.recovered": message("Provider works again")
}

export const eventTypes = Object.keys(eventNames) as ReadonlyArray<InstallationEvent["type"]>

/** What an event is about, in a word: a host, a provider, an organization. */
export const aboutEvent = ({ details, subjectId, organizationId }: InstallationEvent): string | undefined =>
  textOf(details.host) ?? organizationId ?? subjectId ?? undefined

/** What changed, e.g. `plan: PREMIUM → ENTERPRISE`; empty when nothing did. */
export const changesOf = ({ details }: InstallationEvent): string => {
  const [before, after] = [fieldsOf(details.before), fieldsOf(details.after)]
  const written = (value: unknown) => (value === null || value === undefined ? "–" : String(value))
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => `${name}: ${written(before[name])} → ${written(after[name])}`)
    .join(", ")
}
