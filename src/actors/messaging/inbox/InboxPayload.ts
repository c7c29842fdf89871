/** What all who read items of the channel inbox know of them. */
import { Schema } from "effect"
import { isJsonObject, type JsonObject } from "../../../domain/basics/Json.ts"
import type { InboxItem } from "../../../domain/messaging/channel/ChannelInbox.ts"

/** An inbox item that says nothing we understand, however often it is read. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** As contacts and conversations name it. */
export const channel = "messaging"

/** What the item says, by name; nothing when it is no object. */
export const payloadOf = ({ payload }: InboxItem): JsonObject => (isJsonObject(payload) ? payload : {})

/** One thing of what it says, by name; nothing when that is no object. */
export const part = (item: InboxItem, name: string): JsonObject => {
  const wanted = payloadOf(item)[name]
  return isJsonObject(wanted) ? wanted : {}
}
