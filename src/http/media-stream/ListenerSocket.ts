/**
 * The socket of a person who listens to a call. It carries mu-law, 8 kHz, in binary messages: both sides of the call to the person, 40 ms at a time, and
 * the person's microphone from them, 20 ms at a time. The upgrade has proved the token; the invitation behind it is for one socket.
 */
import type { WebSocket } from "uWebSockets.js"
import type { ListenerLine } from "../../actors/voice/call/CallPeople.ts"
import type { JoinedListener, ListenerInvitation } from "../../actors/voice/engine/CallListeners.ts"
import { frameBytes } from "../../domain/voice/telephony/twilio/MediaMessage.ts"

/** What is not taken beyond this is kept back, and then lost: 200 ms. */
const mostUnsentBytes = 1_600
/** A microphone gives 50 frames a second, and makes up for a stall. More than this in a second are ignored. */
const maxFramesPerSecond = 200
/** The most bytes of a message. A browser sends 160. */
export const mostListenerBytes = 10 * frameBytes
/** Codes of the WebSocket protocol, and of ours: the call is over. */
const closeCodes = { over: 1000, unsupported: 1003, malformed: 1007, policy: 1008 } as const

export interface ListenerHost {
  /** Looks for the call; `joined` gets it, or undefined when there is no such invitation. */
  readonly join: (
    invitation: ListenerInvitation,
    line: ListenerLine,
    joined: (call: JoinedListener | undefined) => void
  ) => void
  readonly refused: (fields: { readonly reason: string; readonly remote: string; readonly callId?: string }) => void
}

export class ListenerSocket {
  readonly #host: ListenerHost
  readonly #invitation: ListenerInvitation
  readonly #remote: string
  /** The socket while it is open. */
  #socket: WebSocket<unknown> | undefined
  #joined: JoinedListener | undefined
  #frames = 0
  #framesSince = 0

  constructor(host: ListenerHost, invitation: ListenerInvitation, remote: string) {
    this.#host = host
    this.#invitation = invitation
    this.#remote = remote
  }

  opened(socket: WebSocket<unknown>): void {
    this.#socket = socket
    const line = {
      ready: () => (this.#socket?.getBufferedAmount() ?? mostUnsentBytes) < mostUnsentBytes,
      send: (audio: Uint8Array) => {
        this.#socket?.send(audio, true)
      },
      close: () => {
        this.#socket?.end(closeCodes.over, "over")
      }
    }
    this.#host.join(this.#invitation, line, (joined) => {
      this.#joined = joined
      // The socket closed meanwhile.
      if (this.#socket === undefined) return joined?.left()
      if (joined === undefined) this.#refuse(closeCodes.policy, "no invitation")
    })
  }

  message(data: ArrayBuffer, isBinary: boolean) {
    if (!isBinary) return this.#refuse(closeCodes.unsupported, "text frames are not accepted")
    const { byteLength } = data
    if (byteLength === 0 || byteLength > mostListenerBytes || byteLength % frameBytes !== 0)
      return this.#refuse(closeCodes.malformed, "audio comes in frames of 160 bytes")
    for (let at = 0; at < byteLength; at += frameBytes)
      if (!this.#isFlood()) this.#joined?.voice(new Uint8Array(data, at, frameBytes))
  }

  closed(): void {
    this.#socket = undefined
    this.#joined?.left()
  }

  #refuse(code: number, reason: string): void {
    if (this.#socket === undefined) return
    this.#host.refused({ reason, callId: this.#invitation.callId, remote: this.#remote })
    this.#socket.end(code, reason)
  }

  #isFlood(): boolean {
    const now = performance.now()
    if (now - this.#framesSince >= 1_000) {
      this.#framesSince = now
      this.#frames = 0
    }
    return ++this.#frames > maxFramesPerSecond
  }
}
