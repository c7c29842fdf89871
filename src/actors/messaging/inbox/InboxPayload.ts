/** How the payload of a channel inbox item is read; shared by all code that works on items. */
import { Schema } from "effect"
import { isJsonObject, type JsonObject } from "../../../domain/basics/Json.ts"
import type { InboxItem } from "../../../domain/messaging/channel/ChannelInbox.ts"

/** An inbox item that cannot be understood; another attempt would not help. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** The channel's name in contacts and conversations. */
export const channel = "messaging"

/** The item's payload; empty when it is no object. */
export const payloadOf = ({ payload }: InboxItem): JsonObject => (isJsonObject(payload) ? payload : {})

/** One field of the payload; empty when it is no object. */
export const part = (item: InboxItem, name: string): JsonObject => {
  const wanted = payloadOf(item)[name]
  return isJsonObject(wanted) ? wanted : {}
}
