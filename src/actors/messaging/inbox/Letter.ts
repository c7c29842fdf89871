/** What all who read letters of the messaging channel know of them. */
import { Schema } from "effect"
import { isJsonObject, type JsonObject } from "../../../domain/basics/Json.ts"
import type { Letter } from "../../../domain/messaging/channel/ChannelInbox.ts"

/** A letter that says nothing we understand, however often it is read. */
export class Unreadable extends Schema.TaggedError<Unreadable>()("Unreadable", { message: Schema.String }) {}

/** As contacts and conversations name it. */
export const channel = "messaging"

/** What the letter says, by name; nothing when it is no object. */
export const payloadOf = ({ payload }: Letter): JsonObject => (isJsonObject(payload) ? payload : {})

/** One thing of what it says, by name; nothing when that is no object. */
export const part = (letter: Letter, name: string): JsonObject => {
  const wanted = payloadOf(letter)[name]
  return isJsonObject(wanted) ? wanted : {}
}
