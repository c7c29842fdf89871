/**
 * One media stream of the telephony provider, from its upgrade to its end. The stream must name its call and send its single-use token in time; any
 * other first message is refused and logged. Then audio goes directly to the call. A message that the call cannot use is ignored: it is counted, each
 * kind is logged once, and the call goes on. Messages are handled synchronously, and a frame in the provider's usual form allocates nothing.
 */

import type { WebSocket } from "uWebSockets.js"
import type { Line, LiveCall } from "../../actors/voice/sound/Line.ts"
import { StreamRefused, type StreamStart } from "../../actors/voice/sound/StreamRefused.ts"
import { frameBytes, readFrame } from "../../domain/voice/telephony/twilio/MediaMessage.ts"
import { IgnoredMedia, type IgnoredReason } from "./IgnoredMedia.ts"
import { isDtmf, isMark, isMedia, isNamed, isStart, type Media, parseMessage } from "./MediaStreamMessages.ts"
import type { WaitingStream, WaitingStreams } from "./WaitingStreams.ts"

/** More than a telephone can send (a tone and its pause take 80 ms), but few enough to stop a flood. */
const maxKeysPerSecond = 20

/** The most bytes of a message. The provider sends about 300. */
export const maxMessageBytes = 64 * 1_024
/** The most bytes of a message before the stream has joined its call. The provider's start has about 700. */
const maxEarlyBytes = 8 * 1_024
/** The most messages before the start: the provider sends one. */
const maxBeforeStart = 5
/** The most messages while the call is looked up: five seconds of audio. */
const maxWhileJoining = 250

const closeCodes = { unsupported: 1003, malformed: 1007, policy: 1008, tooBig: 1009 } as const

/** The decoded payload of the current message. Shared by all calls, because a call reads what it needs at once. */
const frame = new Uint8Array(frameBytes)
const decoded = Buffer.alloc(8_192)

/** Handles an audio message in the provider's usual form without building an object. Gives false for any other message, which is then parsed. */
const takeFrame = (call: LiveCall, data: ArrayBuffer): boolean => {
  const timestampMs = readFrame(new Uint8Array(data), frame)
  if (timestampMs < 0) return false
  call.media(frame, timestampMs)
  return true
}

const takeMedia = (call: LiveCall, { media }: Media): void => {
  const length = decoded.write(media.payload, "base64")
  call.media(decoded.subarray(0, length), Number(media.timestamp))
}

/** What makes calls of streams. */
export interface Streams {
  /** Claims the call that the stream belongs to and starts it. */
  readonly connect: (start: StreamStart, line: Line) => LiveCall | StreamRefused
  /** Replaces `connect` where the call has to be looked up elsewhere; `joined` gets it. */
  readonly join?: (start: StreamStart, line: Line, joined: (call: LiveCall | StreamRefused) => void) => void
}

/** The services that all streams of a server share. */
export interface MediaStreamHost {
  readonly streams: Streams
  /** Writes a warning to the log. */
  readonly warn: (sentence: string, fields: Readonly<Record<string, unknown>>) => void
  /** Gets the counts of ignored messages of a stream that has closed. */
  readonly ignored: (counts: ReadonlyMap<IgnoredReason, number>) => void
  /** Logs that a stream was refused. Anybody can cause such lines, so their number is bounded. */
  readonly refused: (fields: { readonly reason: string; readonly remote: string; readonly callId?: string }) => void
  /** The streams that have not joined their calls. */
  readonly waiting: WaitingStreams
  /** A stream that has not started after this many milliseconds is closed. */
  readonly startDeadlineMs: number
}

/** The peer that opened the stream. */
export interface MediaStreamPeer {
  /** `X-Twilio-Signature` of the upgrade. */
  readonly signature: string
  /** The call and the token of a test call's address. */
  readonly invitation?: { readonly callId: string; readonly token: string } | undefined
  /** The address of the socket's other end. */
  readonly remote: string
}

export class MediaStream implements WaitingStream {
  readonly #host: MediaStreamHost
  readonly #peer: MediaStreamPeer
  /** The socket while it is open. */
  #socket: WebSocket<unknown> | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
  #call: LiveCall | undefined
  /** The provider's id of the stream, which its start named. */
  #streamSid = ""
  /** The call's reservation is being looked up. Audio that arrives meanwhile is lost (a frame or two; more while Redis is unreachable). */
  #joining = false
  /** How many messages have come before the call. */
  #early = 0
  /** The provider has reported the end of the stream. */
  #stopped = false
  readonly #line: Line = {
    send: (message) => {
      this.#socket?.send(message, false)
    },
    close: () => {
      this.#socket?.end(1000)
    }
  }
  readonly #ignored = new IgnoredMedia()
  /** Keys are counted in `#keysPressed` for the second that began at `#keysSince` (milliseconds of `performance.now`). */
  #keysSince = 0
  #keysPressed = 0

  constructor(host: MediaStreamHost, peer: MediaStreamPeer) {
    this.#host = host
    this.#peer = peer
  }

  get remote(): string {
    return this.#peer.remote
  }

  opened(socket: WebSocket<unknown>): void {
    this.#socket = socket
    this.#host.waiting.add(this)
    this.#deadline = setTimeout(() => this.#refuse(closeCodes.policy, "no start in time"), this.#host.startDeadlineMs)
  }

  message(data: ArrayBuffer, isBinary: boolean) {
    const call = this.#call
    if (data.byteLength > maxMessageBytes) return this.#refuse(closeCodes.tooBig, "a message is too big")
    if (isBinary) {
      return call === undefined
        ? this.#refuse(closeCodes.unsupported, "binary frames are not accepted")
        : this.#ignore("binary_frame")
    }
    if (call !== undefined && !this.#stopped && takeFrame(call, data)) return
    if (call === undefined && !this.#isEarly(data)) return this.#refuse(closeCodes.policy, "too much before the start")
    const message = parseMessage(Buffer.from(data).toString("utf8"))
    if (message === undefined) {
      return call === undefined ? this.#refuse(closeCodes.malformed, "malformed JSON") : this.#ignore("malformed_json")
    }
    if (call !== undefined) return this.#handle(call, message)
    if (this.#joining) {
      this.#stopped ||= this.#isOwnStop(message)
      return
    }
    if (message.event === "connected") return
    return message.event === "start" ? this.#start(message) : this.#refuse(closeCodes.policy, "start expected")
  }

  closed(): void {
    this.#socket = undefined
    clearTimeout(this.#deadline)
    this.#host.waiting.delete(this)
    this.#call?.closed()
    if (this.#ignored.counts.size > 0) this.#host.ignored(this.#ignored.counts)
  }

  /** Handles a message on a running call that is no audio message in the provider's usual form. */
  #handle(call: LiveCall, message: { readonly event: unknown }) {
    if (this.#stopped) return this.#ignore("after_stop")
    switch (message.event) {
      case "media":
        return isMedia(message) ? takeMedia(call, message) : this.#ignore("malformed_media")
      case "mark":
        return isMark(message) ? call.mark(message.mark.name) : this.#ignore("malformed_mark")
      case "dtmf":
        if (!isDtmf(message)) return this.#ignore("malformed_dtmf")
        return this.#isFlood() ? this.#ignore("too_many_keys") : call.dtmf(message.dtmf.digit)
      case "stop":
        if (!this.#isOwnStop(message)) return this.#ignore("foreign_stream")
        this.#stopped = true
        return call.closed()
      case "start":
        return this.#ignore("repeated_start")
      default:
        return this.#ignore("unknown_event")
    }
  }

  /** Whether a message is the end of this stream. One that names another stream, or none, ends nothing. */
  #isOwnStop(message: { readonly event: unknown; readonly streamSid?: unknown }): boolean {
    return message.event === "stop" && message.streamSid === this.#streamSid
  }

  /** What the start of the stream says; of an invited stream, what its address said. Undefined when the start is malformed. */
  #startOf(message: object): StreamStart | undefined {
    const { signature: upgradeSignature, invitation } = this.#peer
    if (invitation !== undefined) {
      const streamSid = isNamed(message) ? message.streamSid : invitation.callId
      return { streamSid, accountSid: "", callSid: "", ...invitation, upgradeSignature }
    }
    if (!isStart(message)) return undefined
    const { accountSid, callSid, customParameters } = message.start
    // One by one: nothing of the others was checked.
    const { callId, token } = customParameters
    return { streamSid: message.streamSid, accountSid, callSid, callId, token, upgradeSignature }
  }

  #start(message: object) {
    const stream = this.#startOf(message)
    if (stream === undefined) return this.#refuse(closeCodes.policy, "the stream's start is malformed")
    clearTimeout(this.#deadline)
    const { streams } = this.#host
    this.#streamSid = stream.streamSid
    if (streams.join === undefined) return this.#joined(streams.connect(stream, this.#line))
    this.#joining = true
    streams.join(stream, this.#line, (call) => this.#joined(call))
  }

  #joined(call: LiveCall | StreamRefused): void {
    this.#joining = false
    this.#host.waiting.delete(this)
    if (!(call instanceof StreamRefused)) {
      this.#call = call
      // The socket closed, or the stream ended, during the lookup.
      if (this.#socket === undefined || this.#stopped) call.closed()
      return
    }
    if (this.#socket === undefined) return
    const { reason, callId } = call
    this.#host.refused({ reason, callId: callId.slice(0, 100), remote: this.remote })
    this.#socket.end(closeCodes.policy, "refused")
  }

  /** Too many streams wait, and this one has waited longest. */
  giveUp(): void {
    this.#refuse(closeCodes.policy, "too many streams wait")
  }

  /** Counts a message before the call. Gives false when it is more than a provider sends. */
  #isEarly(data: ArrayBuffer): boolean {
    return data.byteLength <= maxEarlyBytes && ++this.#early <= (this.#joining ? maxWhileJoining : maxBeforeStart)
  }

  #refuse(code: number, reason: string): void {
    if (this.#socket === undefined) return
    this.#host.refused({ reason, remote: this.remote })
    this.#socket.end(code, reason)
  }

  /** Ignores an unusable message on a running call and logs it once per reason. */
  #ignore(reason: IgnoredReason): void {
    if (!this.#ignored.count(reason)) return
    this.#host.warn("media message ignored", { reason, callId: this.#call?.callId })
  }

  #isFlood(): boolean {
    const now = performance.now()
    if (now - this.#keysSince >= 1_000) {
      this.#keysSince = now
      this.#keysPressed = 0
    }
    return ++this.#keysPressed > maxKeysPerSecond
  }
}
