/**
 * The messages of the telephony provider on a media stream (Twilio Media Streams), and their checks. Later code relies on these checks. They are
 * written without schemas: the process of the sound has none.
 */

/** One second of audio in base64. The provider sends 20 ms per message. */
const maxPayloadCharacters = 10_668
/** The service names its marks `g<generation>:<clause>`. */
const maxMarkCharacters = 64
const maxStreamSidCharacters = 64

interface Start {
  readonly streamSid: string
  readonly start: {
    readonly accountSid: string
    readonly callSid: string
    readonly customParameters: { readonly callId: string; readonly token: string }
  }
}
/** The start of a stream whose address names its call may name the stream, and need say nothing more. */
interface Named {
  readonly streamSid: string
}
export interface Media {
  readonly media: { readonly payload: string; readonly timestamp: string }
}
interface Mark {
  readonly mark: { readonly name: string }
}
interface Dtmf {
  readonly dtmf: { readonly digit: string }
}

type Fields = { readonly [Key in string]?: unknown }
/** The object in this field, if there is one. */
const inside = (message: object, key: string): Fields | undefined => {
  const value: unknown = Reflect.get(message, key)
  return typeof value === "object" && value !== null ? { ...value } : undefined
}
const areTexts = (...values: ReadonlyArray<unknown>): boolean => values.every((value) => typeof value === "string")

export const isStart = (message: object): message is Start => {
  const start = inside(message, "start")
  if (start === undefined || !("streamSid" in message)) return false
  const [format, parameters] = [inside(start, "mediaFormat"), inside(start, "customParameters")]
  return (
    areTexts(message.streamSid, start.accountSid, start.callSid, parameters?.callId, parameters?.token) &&
    format?.encoding === "audio/x-mulaw" &&
    format.sampleRate === 8_000
  )
}
export const isNamed = (message: object): message is Named =>
  "streamSid" in message &&
  typeof message.streamSid === "string" &&
  message.streamSid.length > 0 &&
  message.streamSid.length <= maxStreamSidCharacters
export const isMark = (message: object): message is Mark => {
  const name = inside(message, "mark")?.name
  return typeof name === "string" && name.length <= maxMarkCharacters
}
export const isDtmf = (message: object): message is Dtmf => {
  const digit = inside(message, "dtmf")?.digit
  return typeof digit === "string" && /^[0-9*#A-D]$/.test(digit)
}

/** Whole milliseconds up to 11 days; they become the times of utterances. */
const isTimestamp = (text: string): boolean => text.length <= 9 && /^\d+$/.test(text)
/** Without copies: this runs 50 times a second per call. */
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
