/**
 * The WebSocket the telephony provider streams a call over (Twilio Media Streams, text frames). A stream must name its call and bring
 * its single-use token within 5 seconds; whatever else comes is refused, and logged once. Audio goes straight into the call.
 */

import type { TemplatedApp, WebSocket } from "uWebSockets.js"
import { Effect, Schema } from "effect"
import { type CallStreams, StreamRefused } from "../actors/ActorSystem.ts"
import type { Line, LiveCall } from "../actors/call/Line.ts"

export const mediaPath = "/media"

const defaultStartDeadlineMs = 5_000
/** The provider sends about 300 bytes a message; nothing legitimate comes near this. Larger frames close the socket (1009). */
const maxMessageBytes = 64 * 1_024
/** A peer that reads nothing for this many bytes (about a minute of audio) has lost its call. */
const maxBackPressureBytes = 1_024 * 1_024

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
const Mark = Schema.Struct({ mark: Schema.Struct({ name: Schema.String }) })
const isStart = Schema.is(Start)
const isMark = Schema.is(Mark)

/** Whole milliseconds; anything else would become an utterance's time. By hand, because it runs 50 times a second per call. */
const isTimestamp = (text: string): boolean => text.length <= 12 && /^\d+$/.test(text)
/** By hand for the same reason. */
const isMedia = (message: object): message is typeof Media.Type =>
  "media" in message &&
  typeof message.media === "object" &&
  message.media !== null &&
  "payload" in message.media &&
  typeof message.media.payload === "string" &&
  "timestamp" in message.media &&
  typeof message.media.timestamp === "string" &&
  isTimestamp(message.media.timestamp)

interface Peer {
  readonly upgradeSignature: string
  readonly remote: string
  closed: boolean
  deadline: ReturnType<typeof setTimeout> | undefined
  call: LiveCall | undefined
  complained: boolean
}

type Socket = WebSocket<Peer>

const lineOf = (socket: Socket, peer: Peer): Line => ({
  send: (text) => {
    if (!peer.closed) socket.send(text)
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

/** Registers the route; `log` runs a log effect outside any fiber. A stream that has not started after `startDeadlineMs` is closed. */
export const register = (
  app: TemplatedApp,
  streams: CallStreams["Service"],
  log: (effect: Effect.Effect<void>) => void,
  startDeadlineMs: number = defaultStartDeadlineMs
): void => {
  const refuse = (socket: Socket, code: number, reason: string) => {
    const peer = socket.getUserData()
    if (peer.closed) return
    log(Effect.logWarning("media stream refused", { reason, remote: peer.remote }))
    socket.end(code, reason)
  }

  /** Nonsense on a running call: the call goes on, the log says it once. */
  const ignore = (peer: Peer, what: string) => {
    if (peer.complained) return
    peer.complained = true
    log(Effect.logWarning("media message ignored", { what, callId: peer.call?.callId }))
  }

  const start = (socket: Socket, message: object) => {
    const peer = socket.getUserData()
    if (!isStart(message)) return refuse(socket, closeCodes.policy, "the stream's start is malformed")
    clearTimeout(peer.deadline)
    const { accountSid, callSid, customParameters } = message.start
    const call = streams.connect(
      {
        streamSid: message.streamSid,
        accountSid,
        callSid,
        callId: customParameters.callId,
        token: customParameters.token,
        upgradeSignature: peer.upgradeSignature
      },
      lineOf(socket, peer)
    )
    if (!(call instanceof StreamRefused)) {
      peer.call = call
      return
    }
    log(Effect.logWarning("media stream refused", { reason: call.reason, callId: call.callId, remote: peer.remote }))
    socket.end(closeCodes.policy, "refused")
  }

  const onMessage = (socket: Socket, data: ArrayBuffer, isBinary: boolean) => {
    const peer = socket.getUserData()
    if (isBinary) {
      return peer.call === undefined
        ? refuse(socket, closeCodes.unsupported, "binary frames are not accepted")
        : ignore(peer, "binary frame")
    }
    const message = parse(Buffer.from(data).toString("utf8"))
    if (message === undefined || !("event" in message)) {
      return peer.call === undefined
        ? refuse(socket, closeCodes.malformed, "malformed JSON")
        : ignore(peer, "malformed JSON")
    }
    const { call } = peer
    if (call === undefined) {
      if (message.event === "connected") return
      return message.event === "start" ? start(socket, message) : refuse(socket, closeCodes.policy, "start expected")
    }
    switch (message.event) {
      case "media":
        return isMedia(message)
          ? call.media(Buffer.from(message.media.payload, "base64"), Number(message.media.timestamp))
          : ignore(peer, "malformed media")
      case "mark":
        return isMark(message) ? call.mark(message.mark.name) : ignore(peer, "mark without name")
      case "stop":
        return call.closed()
      case "dtmf":
        return
      default:
        return ignore(peer, "unknown event")
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
        log(Effect.logWarning("media stream refused", { reason: "no signature", remote }))
        res.writeStatus("403 Forbidden").end()
        return
      }
      const peer: Peer = {
        upgradeSignature,
        remote,
        closed: false,
        deadline: undefined,
        call: undefined,
        complained: false
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
    }
  })
}
