/**
 * Calls that were placed and whose stream is awaited: each holds a slot (`CallAdmission`) until its stream comes, here or in another process on the same
 * port (`ReservationBoard`), or until its time is over.
 */
import { Clock, Effect, FiberMap, Option } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { CallJournal } from "../../../domain/voice/engine/CallJournal.ts"
import type { CallSetup } from "../../../domain/voice/engine/CallSetup.ts"
import { type Reservation, ReservationBoard } from "../../../domain/voice/engine/ReservationBoard.ts"
import { validateStream } from "../../../domain/voice/telephony/twilio/TwilioSignature.ts"
import type { CallAdmission } from "./CallAdmission.ts"
import type { StreamRefused, StreamStart } from "./CallStreams.ts"
import * as StreamTokens from "./StreamTokens.ts"

/** A reserved slot whose stream never arrives is given back after this. */
const ttl = "20 seconds"

export interface ReservationOptions {
  /** Where the provider connects the stream: `wss://…/media`, as it stands in the TwiML. */
  readonly streamUrl: string
  readonly secret: string
}

/** It comes back from a human, or its callee has picked up: turned away, somebody on the line would hear it. */
const isThere = ({ resume, direction }: CallSetup) => resume !== undefined || direction === "outbound"

/** Lives as long as the engine. */
export const make = Effect.fnUntraced(function* ({ streamUrl, secret }: ReservationOptions, admission: CallAdmission) {
  const board = yield* ReservationBoard
  const journal = yield* CallJournal
  const clock = yield* Clock.Clock
  const tokens = StreamTokens.make(secret, () => clock.currentTimeMillisUnsafe())
  const { slots } = admission
  const reservations = new Map<string, Reservation>()
  const expiries = yield* FiberMap.make<string>()

  /** Synchronous; nobody waits for the timer's end. */
  const stopExpiry = (callId: string) => {
    const timer = FiberMap.getUnsafe(expiries, callId)
    if (Option.isSome(timer)) timer.value.interruptUnsafe()
  }

  const expire = Effect.fnUntraced(function* (callId: string, agent: AgentConfig) {
    if (!reservations.delete(callId)) return
    // Taken by another process, whose word of it got lost: the call goes on there.
    if (!(yield* board.take(callId))) return void slots.release(callId)
    const recorded = journal.record({
      type: "call_end",
      id: newId("evt"),
      organizationId: agent.organizationId,
      agentId: agent.agentId,
      callId,
      endReason: "caller_hangup",
      endedAt: new Date(yield* Clock.currentTimeMillis).toISOString(),
      durationSeconds: 0,
      turns: [],
      interruptions: 0,
      toolCalls: 0
    })
    yield* Effect.ensuring(recorded, admission.release(callId, agent.organizationId))
  })

  const reserve = Effect.fnUntraced(function* (setup: CallSetup, agent: AgentConfig) {
    const { callId, concurrentCalls: limit = Number.MAX_SAFE_INTEGER } = setup
    const { organizationId } = agent
    yield* admission.reserve(callId, organizationId, limit, isThere(setup))
    // Before anything is waited for: the same webhook once more finds this reservation.
    const token = tokens.issue(callId)
    const reservation = { setup, agent, token }
    reservations.set(callId, reservation)
    yield* Effect.onError(admission.lease(callId, organizationId, limit), () =>
      Effect.sync(() => reservations.delete(callId))
    )
    const posted = yield* board.post(reservation)
    if (posted !== "posted") {
      reservations.delete(callId)
      if (posted === "unreachable") {
        yield* admission.release(callId, organizationId)
        return yield* admission.refuse("uncoordinated")
      }
      // The same webhook came to another process before; the lease is that one's.
      slots.release(callId)
      return { streamUrl, token: posted === "taken" ? token : posted.token }
    }
    yield* FiberMap.run(expiries, callId, Effect.delay(expire(callId, agent), ttl))
    return { streamUrl, token }
  })

  const judge = (reservation: Reservation | undefined, start: StreamStart): StreamRefused["reason"] | Reservation => {
    if (reservation === undefined) return "unknown_call"
    const { setup, token } = reservation
    if (!tokens.accepts(token, start.token)) return "bad_token"
    if (setup.accountSid !== start.accountSid || setup.callSid !== start.callSid) return "foreign_call"
    if (!validateStream(streamUrl, setup.authToken, start.upgradeSignature)) return "bad_signature"
    return reservation
  }

  yield* board.onTaken((callId) => {
    if (!reservations.delete(callId)) return
    slots.release(callId)
    stopExpiry(callId)
  })

  return {
    /** Whether other processes may take what this one has reserved, and this one what they have. */
    shared: board.shared,
    /** A placement for a call that has been placed before: its webhook came once more. */
    placed: (callId: string) => {
      const known = reservations.get(callId)
      if (known !== undefined) return { streamUrl, token: known.token }
      // Its stream is already here: the call goes on, a second stream finds no reservation.
      return slots.isLive(callId) ? { streamUrl, token: tokens.issue(callId) } : undefined
    },
    /** Uninterruptible: what has been taken is given back by the reservation's own end. */
    reserve: (setup: CallSetup, agent: AgentConfig) => Effect.uninterruptible(reserve(setup, agent)),
    /** The reservation of this process that a stream belongs to, or why it belongs to none. It stays one until `streamCame`. */
    find: (start: StreamStart) => judge(reservations.get(start.callId), start),
    /** The reservation has become a running call, which has its slot from now on. */
    streamCame: (callId: string): void => {
      reservations.delete(callId)
      slots.claim(callId)
      stopExpiry(callId)
    },
    /** Takes the call of a stream off the board, whoever reserved it, and makes it a reservation of this process; or says why not. */
    takeOver: Effect.fnUntraced(function* (start: StreamStart) {
      const { callId } = start
      const posted = yield* board.find(callId, reservations.has(callId))
      if (posted === "unreachable") return posted
      // Judged before it is taken: a wrong stream does not take the call from its true one.
      const found = judge(posted, start)
      if (typeof found === "string") return found
      if (!(yield* board.take(callId))) return "unknown_call"
      slots.takeOver(callId, found.agent.organizationId)
      reservations.set(callId, found)
      return found
    }),
    /** What was taken over could not be started. */
    drop: (callId: string, organizationId: string) =>
      Effect.suspend(() => {
        reservations.delete(callId)
        return admission.release(callId, organizationId)
      })
  }
})
