/** Reactions stand at the message that they are about. */
import type { Message, TimelineEntry } from "@parley/client"
import type { Outgoing } from "../../api/outgoing.ts"
import { textOf } from "../../lib/record.ts"

/** The emoji of each side; of each side the last one counts. */
export interface Reactions {
  readonly theirs?: string
  readonly ours?: string
  /** Ours has not gone out yet. */
  readonly pending?: true
}

/** Whether the channel knows the message, so that somebody can react to it. A reaction has none itself. */
export const canReactTo = ({ channel, channelMessageId, type }: Message): boolean =>
  channel === "messaging" && channelMessageId !== null && type !== "reaction"

/** The message that a reaction is about. One that has failed is about none: nobody sees it. */
export const reactsTo = ({ type, status, content }: Message): string | undefined =>
  type === "reaction" && status !== "failed" ? textOf(content.messageId) : undefined

/** Whether this goes to a message as its reaction, instead of standing at the end of the thread. */
export const isQuiet = ({ body, state }: Outgoing): boolean =>
  body.type === "reaction" && (state === "waiting" || state === "sending")

/** The reactions of each message, by its id. */
export const reactionsOf = (
  entries: ReadonlyArray<TimelineEntry>,
  outgoing: ReadonlyArray<Outgoing>
): ReadonlyMap<string, Reactions> => {
  const found = new Map<string, Reactions>()
  for (const { message } of entries) {
    const about = message && reactsTo(message)
    if (message === undefined || about === undefined) continue
    const side = message.direction === "inbound" ? "theirs" : "ours"
    found.set(about, { ...found.get(about), [side]: textOf(message.content.emoji) ?? "" })
  }
  for (const entry of outgoing)
    if (entry.body.type === "reaction" && isQuiet(entry))
      found.set(entry.body.messageId, { ...found.get(entry.body.messageId), ours: entry.body.emoji, pending: true })
  return new Map([...found].filter(([, { theirs, ours }]) => Boolean(theirs) || Boolean(ours)))
}
