/**
 * The WebSocket the telephony provider streams a call over (Twilio Media Streams, text frames). A stream must name its call and bring
 * its single-use token within 5 seconds; whatever else comes is refused, and logged once. Audio goes straight into the call. What a
 * running call has no use for is ignored: logged once per kind, counted, and the call goes on.
 */

import type { TemplatedApp, WebSocket } from "uWebSockets.js"
import { Effect, Schema } from "effect"
import { type CallStreams, StreamRefused } from "../actors/CallStreams.ts"
import type { Line, LiveCall } from "../actors/call/Line.ts"
import { frameBytes, readFrame } from "../domain/MediaMessage.ts"
import { IgnoredMedia, type IgnoredReason } from "./IgnoredMedia.ts"

export const mediaPath = "/media"

const defaultStartDeadlineMs = 5_000
/** The provider sends about 300 bytes a message; nothing legitimate comes near this. Larger frames close the socket (1009). */
const maxMessageBytes = 64 * 1_024
/** A peer that reads nothing for this many bytes (about a minute of audio) has lost its call. */
const maxBackPressureBytes = 1_024 * 1_024

/** A second of audio in base64; the provider sends 20 ms a message. */
const maxPayloadCharacters = 10_668
/** Ours are `g<generation>:<clause>`. */
const maxMarkCharacters = 64
/** Faster than a telephone can send them (a tone and its pause take 80 ms), slower than a flood. */
const maxKeysPerSecond = 20

const closeCodes = { unsupported: 1003, malformed: 1007, policy: 1008 } as const

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
const Media = Schema.Struct({ media: Schema.Struct({ payload: Schema.String, timestamp: Schema.String }) })
const Mark = Schema.Struct({
  mark: Schema.Struct({ name: Schema.String.check(Schema.isMaxLength(maxMarkCharacters)) })
})
const isStart = Schema.is(Start)
const isMark = Schema.is(Mark)
const Dtmf = Schema.Struct({ dtmf: Schema.Struct({ digit: Schema.String.check(Schema.isPattern(/^[0-9*#A-D]$/)) }) })
const isDtmf = Schema.is(Dtmf)

/** Whole milliseconds of at most 11 days; they become an utterance's times. By hand, because it runs 50 times a second per call. */
const isTimestamp = (text: string): boolean => text.length <= 9 && /^\d+$/.test(text)
/** By hand for the same reason. */
const isMedia = (message: object): message is typeof Media.Type =>
  "media" in message &&
  typeof message.media === "object" &&
  message.media !== null &&
  "payload" in message.media &&
  typeof message.media.payload === "string" &&
  message.media.payload.length <= maxPayloadCharacters &&
  "timestamp" in message.media &&
  typeof message.media.timestamp === "string" &&
  isTimestamp(message.media.timestamp)

/** The payload of the message at hand, decoded; a call takes what it needs at once. */
const frame = new Uint8Array(frameBytes)
const decoded = Buffer.alloc(8_192)

/** Takes a message that is as providers send it, without building an object for it; false for any other, which is then parsed. */
const hearFrame = (call: LiveCall, data: ArrayBuffer): boolean => {
  const timestampMs = readFrame(new Uint8Array(data), frame)
  if (timestampMs < 0) return false
  call.media(frame, timestampMs)
  return true
}

const hear = (call: LiveCall, { media }: typeof Media.Type): void => {
  const length = decoded.write(media.payload, "base64")
  call.media(decoded.subarray(0, length), Number(media.timestamp))
}

interface Peer {
  readonly upgradeSignature: string
  readonly remote: string
  closed: boolean
  deadline: ReturnType<typeof setTimeout> | undefined
  call: LiveCall | undefined
  /** The call is being looked for where it was reserved; what the caller says meanwhile is lost (a frame or two; more while Redis is away). */
  joining: boolean
  /** The provider has said that the stream is over. */
  stopped: boolean
  readonly ignored: IgnoredMedia
  /** Keys pressed in the second that began at `since` (milliseconds of `performance.now`). */
  readonly keys: { since: number; pressed: number }
}

type Socket = WebSocket<Peer>

const lineOf = (socket: Socket, peer: Peer): Line => ({
  send: (message) => {
    if (!peer.closed) socket.send(message, false)
  },
  close: () => {
    if (!peer.closed) socket.end(1000)
  }
})

const parse = (text: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const isFlood = ({ keys }: Peer): boolean => {
  const now = performance.now()
  if (now - keys.since >= 1_000) {
    keys.since = now
    keys.pressed = 0
  }
  return ++keys.pressed > maxKeysPerSecond
}

/** Registers the route; `run` runs a log line or a metric outside any fiber. A stream that has not started after `startDeadlineMs` is closed. */
export const register = (
  app: TemplatedApp,
  streams: CallStreams["Service"],
  run: (effect: Effect.Effect<void>) => void,
  startDeadlineMs: number = defaultStartDeadlineMs
): void => {
  const refuse = (socket: Socket, code: number, reason: string) => {
    const peer = socket.getUserData()
    if (peer.closed) return
    run(Effect.logWarning("media stream refused", { reason, remote: peer.remote }))
    socket.end(code, reason)
  }

  /** Nonsense on a running call: the call goes on, the log says it once per kind. */
  const ignore = (peer: Peer, reason: IgnoredReason) => {
    if (!peer.ignored.count(reason)) return
    run(Effect.logWarning("media message ignored", { reason, callId: peer.call?.callId }))
  }

  const start = (socket: Socket, message: object) => {
    const peer = socket.getUserData()
    if (!isStart(message)) return refuse(socket, closeCodes.policy, "the stream's start is malformed")
    clearTimeout(peer.deadline)
    const { accountSid, callSid, customParameters } = message.start
    const stream = {
      streamSid: message.streamSid,
      accountSid,
      callSid,
      callId: customParameters.callId,
      token: customParameters.token,
      upgradeSignature: peer.upgradeSignature
    }
    const line = lineOf(socket, peer)
    if (streams.join === undefined) return joined(socket, peer, streams.connect(stream, line))
    peer.joining = true
    run(Effect.map(streams.join(stream, line), (call) => joined(socket, peer, call)))
  }

  const joined = (socket: Socket, peer: Peer, call: LiveCall | StreamRefused) => {
    peer.joining = false
    if (!(call instanceof StreamRefused)) {
      peer.call = call
      // The line was lost while the call was being looked for.
      if (peer.closed || peer.stopped) call.closed()
      return
    }
    if (peer.closed) return
    run(Effect.logWarning("media stream refused", { reason: call.reason, callId: call.callId, remote: peer.remote }))
    socket.end(closeCodes.policy, "refused")
  }

  const onMessage = (socket: Socket, data: ArrayBuffer, isBinary: boolean) => {
    const peer = socket.getUserData()
    if (isBinary) {
      return peer.call === undefined
        ? refuse(socket, closeCodes.unsupported, "binary frames are not accepted")
        : ignore(peer, "binary_frame")
    }
    if (peer.call !== undefined && !peer.stopped && hearFrame(peer.call, data)) return
    const message = parse(Buffer.from(data).toString("utf8"))
    if (message === undefined || !("event" in message)) {
      return peer.call === undefined
        ? refuse(socket, closeCodes.malformed, "malformed JSON")
        : ignore(peer, "malformed_json")
    }
    const { call } = peer
    if (peer.joining) {
      peer.stopped ||= message.event === "stop"
      return
    }
    if (call === undefined) {
      if (message.event === "connected") return
      return message.event === "start" ? start(socket, message) : refuse(socket, closeCodes.policy, "start expected")
    }
    if (peer.stopped) return ignore(peer, "after_stop")
    switch (message.event) {
      case "media":
        return isMedia(message) ? hear(call, message) : ignore(peer, "malformed_media")
      case "mark":
        return isMark(message) ? call.mark(message.mark.name) : ignore(peer, "malformed_mark")
      case "dtmf":
        if (!isDtmf(message)) return ignore(peer, "malformed_dtmf")
        return isFlood(peer) ? ignore(peer, "too_many_keys") : call.dtmf(message.dtmf.digit)
      case "stop":
        peer.stopped = true
        return call.closed()
      case "start":
        return ignore(peer, "repeated_start")
      default:
        return ignore(peer, "unknown_event")
    }
  }

  app.ws<Peer>(mediaPath, {
    maxPayloadLength: maxMessageBytes,
    maxBackpressure: maxBackPressureBytes,
    closeOnBackpressureLimit: true,
    idleTimeout: 60,
    upgrade: (res, req, context) => {
      const upgradeSignature = req.getHeader("x-twilio-signature")
      const remote = Buffer.from(res.getRemoteAddressAsText()).toString()
      if (upgradeSignature === "") {
        run(Effect.logWarning("media stream refused", { reason: "no signature", remote }))
        res.writeStatus("403 Forbidden").end()
        return
      }
      const peer: Peer = {
        upgradeSignature,
        remote,
        closed: false,
        deadline: undefined,
        call: undefined,
        joining: false,
        stopped: false,
        ignored: new IgnoredMedia(),
        keys: { since: 0, pressed: 0 }
      }
      res.upgrade(
        peer,
        req.getHeader("sec-websocket-key"),
        req.getHeader("sec-websocket-protocol"),
        req.getHeader("sec-websocket-extensions"),
        context
      )
    },
    open: (socket) => {
      socket.getUserData().deadline = setTimeout(
        () => refuse(socket, closeCodes.policy, "no start in time"),
        startDeadlineMs
      )
    },
    message: onMessage,
    close: (socket) => {
      const peer = socket.getUserData()
      peer.closed = true
      clearTimeout(peer.deadline)
      peer.call?.closed()
      const ignored = peer.ignored.publish()
      if (ignored !== undefined) run(ignored)
    }
  })
}
