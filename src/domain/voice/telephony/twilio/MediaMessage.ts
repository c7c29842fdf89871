/**
 * Reads and writes the `media` messages of a telephony provider's stream (Twilio Media Streams) as bytes. Each call has 50 of them a second in
 * each direction, so no objects or strings are created. Only messages in exactly the form that providers send are read here.
 */

/** Mu-law bytes in one message from the provider: 20 ms at 8 kHz. */
export const frameBytes = 160

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0))

const alphabet = ascii("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
const padding = 61
/** Marks a character outside the alphabet. It is larger than any of the 64 values. */
const NO_VALUE = 64
const values = new Uint8Array(256).fill(NO_VALUE)
alphabet.forEach((char, value) => {
  values[char] = value
})

/** A frame has 53 groups of three bytes and one single byte. */
const WHOLE = Math.floor(frameBytes / 3) * 3
/** Length of a frame in base64, in characters. */
const PAYLOAD = Math.ceil(frameBytes / 3) * 4

const head = ascii('{"event":"media","sequenceNumber":"')
const beforeStream = ascii('","streamSid":"')
const track = ascii('","media":{"track":"inbound","chunk":"')
const timestamp = ascii('","timestamp":"')
const payload = ascii('","payload":"')
const end = ascii('"}}')
const endBeforeStream = ascii('"},"streamSid":"')
const endAfterStream = ascii('"}')

/**
 * Where `literal` ends if it begins at `at`, otherwise -1. The functions below follow the same rule. A position outside the message, such as
 * -1, reads as undefined, which matches nothing; so the result for -1 is -1.
 */
const afterLiteral = (message: Uint8Array, at: number, literal: Uint8Array): number => {
  const { length } = literal
  for (let i = 0; i < length; i++) if (message[at + i] !== literal[i]) return -1
  return at + length
}

const isDigit = (byte: number): boolean => byte >= 48 && byte <= 57
const isWord = (byte: number): boolean =>
  isDigit(byte) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte === 95

const afterDigits = (message: Uint8Array, from: number, most: number): number => {
  let at = from
  while (isDigit(message[at])) at++
  return at > from && at - from <= most ? at : -1
}

const afterWord = (message: Uint8Array, from: number): number => {
  let at = from
  while (isWord(message[at])) at++
  return at > from && at - from <= 64 ? at : -1
}

/**
 * Decodes the payload that begins at `from` into `frame`; false when it is not valid. Characters outside the alphabet are detected at the
 * end: they set a bit that no value has.
 */
const decodePayload = (message: Uint8Array, from: number, frame: Uint8Array): boolean => {
  let found = 0
  let at = from
  for (let out = 0; out < WHOLE; out += 3) {
    const a = values[message[at]]
    const b = values[message[at + 1]]
    const c = values[message[at + 2]]
    const d = values[message[at + 3]]
    at += 4
    found |= a | b | c | d
    frame[out] = (a << 2) | (b >> 4)
    frame[out + 1] = (b << 4) | (c >> 2)
    frame[out + 2] = (c << 6) | d
  }
  const a = values[message[at]]
  const b = values[message[at + 1]]
  frame[WHOLE] = (a << 2) | (b >> 4)
  return (found | a | b) < NO_VALUE && message[at + 2] === padding && message[at + 3] === padding
}

/**
 * Writes the 160 mu-law bytes of a `media` message to `frame`. Returns its timestamp (ms), a whole number of at most 9 digits. Returns -1 for
 * any other message or another form; `frame` may be overwritten then. Providers put `streamSid` in one of two places.
 */
export const readFrame = (message: Uint8Array, frame: Uint8Array): number => {
  let at = afterDigits(message, afterLiteral(message, 0, head), 10)
  const early = afterLiteral(message, at, beforeStream)
  if (early > 0) at = afterWord(message, early)
  at = afterDigits(message, afterLiteral(message, at, track), 10)
  const from = afterLiteral(message, at, timestamp)
  at = afterDigits(message, from, 9)
  let timestampMs = 0
  for (let i = from; i < at; i++) timestampMs = timestampMs * 10 + message[i] - 48
  at = afterLiteral(message, at, payload)
  if (at < 0 || message.length < at + PAYLOAD || !decodePayload(message, at, frame)) return -1
  at += PAYLOAD
  return afterLiteral(message, at, end) === message.length || isStreamLast(message, at) ? timestampMs : -1
}

/** Whether the message ends with its `streamSid`. */
const isStreamLast = (message: Uint8Array, at: number): boolean => {
  const name = afterWord(message, afterLiteral(message, at, endBeforeStream))
  return afterLiteral(message, name, endAfterStream) === message.length
}

/** Writes what is sent on one stream: `media` with audio, `mark`, and `clear`. */
export class MediaWriter {
  /** The provider drops the audio that it has not played. */
  readonly clear: string
  private readonly streamSid: string
  private readonly message: Uint8Array
  private readonly payload: number

  constructor(streamSid: string) {
    this.streamSid = JSON.stringify(streamSid)
    this.clear = `{"event":"clear","streamSid":${this.streamSid}}`
    const head = new TextEncoder().encode(`{"event":"media","streamSid":${this.streamSid},"media":{"payload":"`)
    this.payload = head.length
    this.message = new Uint8Array(head.length + PAYLOAD + 3)
    this.message.set(head)
    this.message.set(ascii('=="}}'), head.length + PAYLOAD - 2)
  }

  /** The provider echoes this name when it has played the audio before it. */
  mark(name: string): string {
    return `{"event":"mark","streamSid":${this.streamSid},"mark":{"name":${JSON.stringify(name)}}}`
  }

  /** The message for a frame of 160 mu-law bytes. The next call overwrites it. */
  write(frame: Uint8Array): Uint8Array {
    const { message } = this
    let to = this.payload
    for (let i = 0; i < WHOLE; i += 3, to += 4) {
      const three = (frame[i] << 16) | (frame[i + 1] << 8) | frame[i + 2]
      message[to] = alphabet[three >> 18]
      message[to + 1] = alphabet[(three >> 12) & 63]
      message[to + 2] = alphabet[(three >> 6) & 63]
      message[to + 3] = alphabet[three & 63]
    }
    message[to] = alphabet[frame[WHOLE] >> 2]
    message[to + 1] = alphabet[(frame[WHOLE] & 3) << 4]
    return message
  }
}
