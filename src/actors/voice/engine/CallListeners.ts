/**
 * The people who listen to the calls of this process, and the sockets of this process through which people listen. The socket may be in another process
 * than its call: then both sides' audio crosses the bus, 100 ms at a time. An invitation is for one socket, and ends by itself.
 */
import { Clock, Context, Effect, type Scope } from "effect"
import { FRAME_BYTES } from "../../../audio/frames/Frame.ts"
import { makeBusRequest, takeBusRequests } from "../../../domain/basics/bus/BusRequest.ts"
import { type BusMessage, ProcessBus } from "../../../domain/basics/bus/ProcessBus.ts"
import type { CommandRefusal } from "../../../domain/voice/engine/CallCommand.ts"
import { type CallPeople, framesTogether, Listener, type ListenerLine } from "../call/CallPeople.ts"

/** The most people who listen to calls of one process, invited ones included. */
export const mostListeners = 20
/** An invitation whose socket has not come is forgotten after this time. Milliseconds. */
const invitationMs = 20_000
/** How often the process of a socket says that it is still there, and how long the process of the call believes it. Milliseconds. */
const aliveEveryMs = 10_000
const aliveForMs = 30_000
/** How many frames of a microphone cross the bus together. */
const voiceTogether = 2

const joinType = "call.listener.join"
const heardType = "call.listener.heard"
const voiceType = "call.listener.voice"
const aliveType = "call.listener.alive"
const leftType = "call.listener.left"

/** Whom a socket says it is. Its token proved it. */
export interface ListenerInvitation {
  readonly organizationId: string
  readonly callId: string
  readonly listener: string
}

/** A listener whose socket is open. */
export interface JoinedListener {
  /** 20 ms of the listener's microphone, mu-law. The caller may reuse the array. */
  readonly voice: (frame: Uint8Array) => void
  /** The socket closed. Idempotent. */
  readonly left: () => void
}

export class CallListeners extends Context.Service<
  CallListeners,
  {
    /** Lets an invited listener hear the call. Undefined: there is no such invitation, or the call is over. */
    readonly join: (invitation: ListenerInvitation, line: ListenerLine) => Effect.Effect<JoinedListener | undefined>
  }
>()("parley/actors/CallListeners") {}

/** A call, as its listeners need it. */
interface ListenedCall {
  readonly people: CallPeople
  readonly organizationId: string
}

interface Invited extends ListenerInvitation {
  /** When it is forgotten unless its socket comes; of a socket in another process, unless that says that it is there. */
  until: number
  /** The socket's process is another one. */
  readonly remote: boolean
  joined: boolean
}

const isAudio = (value: unknown): value is string => typeof value === "string" && value.length <= 4_096

/** Calls `fn` with each whole frame. */
const eachFrame = (audio: Uint8Array, fn: (frame: Uint8Array) => void): void => {
  for (let at = 0; at + FRAME_BYTES <= audio.length; at += FRAME_BYTES) fn(audio.subarray(at, at + FRAME_BYTES))
}

/** `find`: a running call of this process. Lives as long as the engine. */
export const makeCallListeners = Effect.fnUntraced(function* (
  find: (callId: string) => ListenedCall | undefined
): Effect.fn.Return<
  {
    readonly service: CallListeners["Service"]
    readonly invite: (invitation: ListenerInvitation, people: CallPeople) => CommandRefusal | undefined
    readonly callOver: (callId: string) => void
  },
  never,
  Scope.Scope
> {
  const bus = yield* ProcessBus
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  /** Listeners of the calls of this process. */
  const invited = new Map<string, Invited>()
  /** Sockets of this process whose calls are elsewhere. */
  const elsewhere = new Map<string, ListenerLine>()
  const askToJoin = yield* makeBusRequest(joinType)

  const own = ({ organizationId, callId, listener }: ListenerInvitation): CallPeople | undefined => {
    const call = find(callId)
    const invitation = invited.get(listener)
    if (call === undefined || call.organizationId !== organizationId || invitation?.callId !== callId) return undefined
    return invitation.joined ? undefined : call.people
  }
  const leave = (listener: string) => {
    const invitation = invited.get(listener)
    invited.delete(listener)
    if (invitation !== undefined) find(invitation.callId)?.people.leave(listener)
  }
  const joinHere = (
    invitation: ListenerInvitation,
    people: CallPeople,
    line: ListenerLine,
    remote: boolean
  ): JoinedListener => {
    const { listener } = invitation
    invited.set(listener, { ...invitation, remote, joined: true, until: now() + aliveForMs })
    people.join(new Listener(listener, line, remote ? framesTogether.elsewhere : framesTogether.here))
    return { voice: (frame) => people.speak(listener, frame), left: () => leave(listener) }
  }

  const publish = (type: string, organizationId: string, data: BusMessage["data"]) =>
    bus.publish({ organizationId, type, at: now(), data })

  /** What is heard goes to the socket's process. */
  const remoteLine = ({ organizationId, listener }: ListenerInvitation): ListenerLine => ({
    ready: () => true,
    send: (audio) => publish(heardType, organizationId, { listener, audio: Buffer.from(audio).toString("base64") }),
    close: () => publish(heardType, organizationId, { listener })
  })

  yield* takeBusRequests(joinType, (organizationId, { callId, listener }) => {
    if (typeof callId !== "string" || typeof listener !== "string") return false
    const invitation = { organizationId, callId, listener }
    const people = own(invitation)
    if (people === undefined) return false
    joinHere(invitation, people, remoteLine(invitation), true)
    return true
  })

  /** What the processes of other sockets and calls say. */
  const hear = ({ type, data: { listener, audio } }: BusMessage) => {
    if (typeof listener !== "string") return
    if (type === heardType) {
      const line = elsewhere.get(listener)
      if (line === undefined) return
      if (!isAudio(audio)) return line.close()
      if (line.ready()) line.send(Buffer.from(audio, "base64"))
      return
    }
    const invitation = invited.get(listener)
    if (invitation?.remote !== true) return
    if (type === leftType) return leave(listener)
    if (type !== voiceType && type !== aliveType) return
    invitation.until = now() + aliveForMs
    if (!isAudio(audio)) return
    const people = find(invitation.callId)?.people
    eachFrame(Buffer.from(audio, "base64"), (frame) => people?.speak(listener, frame))
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => bus.listen(hear, { relayed: true })),
    (stop) => Effect.sync(stop)
  )

  const joinElsewhere = Effect.fnUntraced(function* (invitation: ListenerInvitation, line: ListenerLine) {
    const { organizationId, callId, listener } = invitation
    if (elsewhere.has(listener)) return undefined
    elsewhere.set(listener, line)
    if (!(yield* askToJoin(organizationId, { callId, listener }))) {
      elsewhere.delete(listener)
      return undefined
    }
    const waiting = new Uint8Array(voiceTogether * FRAME_BYTES)
    let filled = 0
    return {
      voice: (frame: Uint8Array) => {
        waiting.set(frame, filled)
        filled += FRAME_BYTES
        if (filled < waiting.length) return
        filled = 0
        publish(voiceType, organizationId, { listener, audio: Buffer.from(waiting).toString("base64") })
      },
      left: () => {
        if (elsewhere.delete(listener)) publish(leftType, organizationId, { listener })
      }
    }
  })

  const sweep = Effect.sync(() => {
    const at = now()
    for (const [listener, { joined, remote, until }] of invited) if (until <= at && (remote || !joined)) leave(listener)
    for (const listener of elsewhere.keys()) publish(aliveType, "", { listener })
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(sweep, aliveEveryMs)))

  return {
    service: {
      join: (invitation, line) =>
        Effect.suspend(() => {
          const people = own(invitation)
          if (people !== undefined) return Effect.succeed(joinHere(invitation, people, line, false))
          // A call of this process whose invitation is used or unknown is nowhere else.
          return find(invitation.callId) === undefined ? joinElsewhere(invitation, line) : Effect.succeed(undefined)
        })
    },
    /** Keeps a place for a listener of a call of this process; or says why there is none. */
    invite: (invitation, people) => {
      if (people.closing) return "ending"
      const at = now()
      for (const [listener, { joined, until }] of invited) if (!joined && until <= at) invited.delete(listener)
      if (invited.size >= mostListeners) return "full"
      invited.set(invitation.listener, { ...invitation, until: at + invitationMs, remote: false, joined: false })
      return undefined
    },
    callOver: (callId) => {
      for (const [listener, invitation] of invited) if (invitation.callId === callId) invited.delete(listener)
    }
  }
})
