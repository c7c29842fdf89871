/**
 * The ten types of messages that can be sent: their fields, and the limits of the channel's protocol. The channel understands every message that
 * passes here. Only the channel decides whether it accepts the message (reply window, template, number).
 */
import { Schema } from "effect"
import { lines, plainText } from "../../basics/PlainText.ts"
import type { Message } from "../conversations/Message.ts"
import { ContactCards } from "./types/ContactCards.ts"
import { Audio, Document, Image, Video } from "./types/Files.ts"
import { Interactive } from "./types/Interactive.ts"
import { Reaction } from "./types/Reaction.ts"
import { TemplateMessage } from "./types/Template.ts"

const Text = Schema.Struct({
  type: Schema.Literal("text"),
  text: lines(4_096),
  /** Whether to show a preview of the first link. */
  previewUrl: Schema.optionalKey(Schema.Boolean)
})

const degrees = (most: number) =>
  Schema.Number.check(
    Schema.makeFilter(
      (value: number) => Math.abs(value) <= most || `must be a number of degrees between -${most} and ${most}.`
    )
  )

const Location = Schema.Struct({
  type: Schema.Literal("location"),
  latitude: degrees(90),
  longitude: degrees(180),
  name: plainText(1_000),
  address: Schema.optionalKey(plainText(1_000))
})

/** The schema of each type, each with its own fields only. */
export const outgoingTypes = {
  text: Text,
  image: Image,
  document: Document,
  audio: Audio,
  video: Video,
  template: TemplateMessage,
  interactive: Interactive,
  location: Location,
  contact: ContactCards,
  reaction: Reaction
}

export const OutgoingBody = Schema.Union([
  Text,
  Image,
  Document,
  Audio,
  Video,
  TemplateMessage,
  Interactive,
  Location,
  ContactCards,
  Reaction
])
export type OutgoingBody = typeof OutgoingBody.Type

/** The content to store: the fields of its type. */
export const contentOf = ({ type: _, ...content }: OutgoingBody): Message["content"] => content

/** The upload that the message refers to, if any. */
export const mediaIdOf = (body: OutgoingBody): string | undefined => ("mediaId" in body ? body.mediaId : undefined)
