/** What broadcasts and their recipients are called on the page. */
import type { Broadcast, BroadcastRecipient } from "@parley/client"
import type { ChipTone } from "../../components/Chip.tsx"
import { message, t } from "../../lib/i18n.ts"

const states: Readonly<Record<Broadcast["status"], readonly [string, ChipTone]>> = {
  draft: [message("Draft"), "plain"],
  scheduled: [message("Scheduled"), "accent"],
  running: [message("Being sent"), "good"],
  paused: [message("Paused"), "warn"],
  completed: [message("Completed"), "good"],
  cancelled: [message("Cancelled"), "plain"],
  failed: [message("Could not start"), "danger"]
}
export const stateOf = (status: Broadcast["status"]): { readonly name: string; readonly tone: ChipTone } => {
  const [name, tone] = states[status]
  return { name: t(name), tone }
}
export const broadcastStates = Object.keys(states) as ReadonlyArray<Broadcast["status"]>

const recipients: Readonly<Record<BroadcastRecipient["status"], readonly [string, ChipTone]>> = {
  queued: [message("Waiting"), "plain"],
  sent: [message("Sent"), "plain"],
  delivered: [message("Delivered"), "accent"],
  read: [message("Read"), "good"],
  failed: [message("Not sent"), "danger"],
  skipped: [message("Skipped"), "warn"]
}
export const recipientState = (
  status: BroadcastRecipient["status"]
): { readonly name: string; readonly tone: ChipTone } => {
  const [name, tone] = recipients[status]
  return { name: t(name), tone }
}
export const recipientStates = Object.keys(recipients) as ReadonlyArray<BroadcastRecipient["status"]>

type SkipReason = keyof Broadcast["counts"]["skippedBy"]

const skips: Readonly<Record<SkipReason, string>> = {
  opted_out: message("wants no messages"),
  never_opted_in: message("never said that it wants messages"),
  no_phone: message("has no number"),
  archived: message("is archived"),
  erased: message("was erased"),
  missing_value: message("lacks what a gap needs"),
  rate_limited: message("got too much already"),
  cancelled: message("the broadcast was cancelled")
}
const isSkip = (reason: string): reason is SkipReason => Object.hasOwn(skips, reason)

/** Why a recipient got nothing: a sentence of the channel stays as it is. */
export const reasonText = (reason: string): string => (isSkip(reason) ? t(skips[reason]) : reason)
export const skipReasons = Object.keys(skips) as ReadonlyArray<SkipReason>
