/** The messages of the telephony provider on a media stream (Twilio Media Streams), and their checks. Later code relies on these checks. */
import { Schema } from "effect"

/** One second of audio in base64. The provider sends 20 ms per message. */
const maxPayloadCharacters = 10_668
/** The service names its marks `g<generation>:<clause>`. */
const maxMarkCharacters = 64

const Start = Schema.Struct({
  event: Schema.Literal("start"),
  streamSid: Schema.String,
  start: Schema.Struct({
    accountSid: Schema.String,
    callSid: Schema.String,
    mediaFormat: Schema.Struct({ encoding: Schema.Literal("audio/x-mulaw"), sampleRate: Schema.Literal(8000) }),
    customParameters: Schema.Struct({ callId: Schema.String, token: Schema.String })
  })
})
/** The start of a stream whose address names its call may name the stream, and need say nothing more. */
const Named = Schema.Struct({ streamSid: Schema.NonEmptyString.check(Schema.isMaxLength(64)) })
const Media = Schema.Struct({ media: Schema.Struct({ payload: Schema.String, timestamp: Schema.String }) })
const Mark = Schema.Struct({
  mark: Schema.Struct({ name: Schema.String.check(Schema.isMaxLength(maxMarkCharacters)) })
})
const Dtmf = Schema.Struct({ dtmf: Schema.Struct({ digit: Schema.String.check(Schema.isPattern(/^[0-9*#A-D]$/)) }) })

export type Media = typeof Media.Type

export const isStart = Schema.is(Start)
export const isNamed = Schema.is(Named)
export const isMark = Schema.is(Mark)
export const isDtmf = Schema.is(Dtmf)

/** Whole milliseconds up to 11 days; they become the times of utterances. Checked without a schema, because this runs 50 times a second per call. */
const isTimestamp = (text: string): boolean => text.length <= 9 && /^\d+$/.test(text)
/** Checked without a schema for the same reason. */
export const isMedia = (message: object): message is Media =>
  "media" in message &&
  typeof message.media === "object" &&
  message.media !== null &&
  "payload" in message.media &&
  typeof message.media.payload === "string" &&
  message.media.payload.length <= maxPayloadCharacters &&
  "timestamp" in message.media &&
  typeof message.media.timestamp === "string" &&
  isTimestamp(message.media.timestamp)

/** The message with its `event`; undefined for anything else. */
export const parseMessage = (text: string): { readonly event: unknown } | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && "event" in value ? value : undefined
  } catch {
    return undefined
  }
}
