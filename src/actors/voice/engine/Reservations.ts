/**
 * Calls that were placed and whose stream has not come yet. Each holds a slot (`CallAdmission`) until its stream comes or the reservation
 * expires. The stream may come to another process on the same port (`ReservationBoard`).
 */
import { Clock, Effect, FiberMap, Option } from "effect"
import { newId } from "../../../domain/basics/Ids.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import { CallJournal } from "../../../domain/voice/engine/CallJournal.ts"
import type { CallSetup } from "../../../domain/voice/engine/CallSetup.ts"
import { type Reservation, ReservationBoard } from "../../../domain/voice/engine/ReservationBoard.ts"
import { validateStream } from "../../../domain/voice/telephony/twilio/TwilioSignature.ts"
import type { StreamRefused, StreamStart } from "../sound/StreamRefused.ts"
import type { CallAdmission } from "./CallAdmission.ts"
import * as StreamTokens from "./StreamTokens.ts"

/** A reserved slot is freed when its stream has not come after this time. Milliseconds. */
const ttlMs = 20_000
/** A stream that comes at all comes within this time, but for a slow line. Milliseconds. */
const soonMs = 3_000

interface Placed extends Reservation {
  /** Unix milliseconds. */
  readonly at: number
}

/** Where the sound of calls is in other processes: they check the streams themselves. */
export interface ReservationSound {
  readonly reserve: (reservation: Reservation, goodForMs: number) => void
  readonly cancel: (callId: string) => void
}

export interface ReservationOptions {
  /** Where the provider connects the stream: `wss://…/media`, as it stands in the TwiML. */
  readonly streamUrl: string
  readonly secret: string
  readonly sound?: ReservationSound | undefined
}

/** Somebody is already on the line and would hear a refusal: the call comes back from a human, or is an outbound call that was answered. */
const isThere = ({ resume, direction }: CallSetup) => resume !== undefined || direction === "outbound"

/** Lives as long as the engine. */
export const make = Effect.fnUntraced(function* (
  { streamUrl, secret, sound }: ReservationOptions,
  admission: CallAdmission
) {
  const board = yield* ReservationBoard
  const journal = yield* CallJournal
  const clock = yield* Clock.Clock
  const tokens = StreamTokens.make(secret, () => clock.currentTimeMillisUnsafe())
  const { slots } = admission
  const reservations = new Map<string, Placed>()
  const expiries = yield* FiberMap.make<string>()

  /** Synchronous: does not wait until the timer has ended. */
  const stopExpiry = (callId: string) => {
    const timer = FiberMap.getUnsafe(expiries, callId)
    if (Option.isSome(timer)) timer.value.interruptUnsafe()
  }

  const expire = Effect.fnUntraced(function* (callId: string, agent: AgentConfig) {
    if (!reservations.delete(callId)) return
    sound?.cancel(callId)
    // Another process took the call and its notice got lost: the call goes on there.
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
    // Before the first wait, so that a repeated webhook finds this reservation.
    const token = tokens.issue(callId)
    const reservation = { setup, agent, token }
    reservations.set(callId, { ...reservation, at: clock.currentTimeMillisUnsafe() })
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
      // The same webhook came to another process before: the lease belongs to that process.
      slots.release(callId)
      return { streamUrl, token: posted === "taken" ? token : posted.token }
    }
    sound?.reserve(reservation, ttlMs)
    yield* FiberMap.run(expiries, callId, Effect.delay(expire(callId, agent), ttlMs))
    return { streamUrl, token }
  })

  const judge = (reservation: Reservation | undefined, start: StreamStart): StreamRefused["reason"] | Reservation => {
    if (reservation === undefined) return "unknown_call"
    const { setup, token } = reservation
    if (!tokens.accepts(token, start.token)) return "bad_token"
    // No telephony provider sends the stream of a test call.
    if (setup.tested !== undefined) return reservation
    if (setup.accountSid !== start.accountSid || setup.callSid !== start.callSid) return "foreign_call"
    if (!validateStream(streamUrl, setup.authToken, start.upgradeSignature)) return "bad_signature"
    return reservation
  }

  yield* board.onTaken((callId) => {
    if (!reservations.delete(callId)) return
    sound?.cancel(callId)
    slots.release(callId)
    stopExpiry(callId)
  })

  return {
    /** Whether processes may take over each other's reservations. */
    shared: board.shared,
    /** The placement of a call that was placed before, whose webhook came again; undefined for a new call. */
    placed: (callId: string) => {
      const known = reservations.get(callId)
      if (known !== undefined) return { streamUrl, token: known.token }
      // Its stream is already here: the call goes on, and a second stream will find no reservation.
      return slots.isLive(callId) ? { streamUrl, token: tokens.issue(callId) } : undefined
    },
    /** Reserves a slot for a call and returns its placement. Fails with `EngineFull`. Uninterruptible: the reservation frees its slot itself. */
    reserve: (setup: CallSetup, agent: AgentConfig) => Effect.uninterruptible(reserve(setup, agent)),
    /** The reservation in this process that a stream belongs to, or why there is none. It stays reserved until `streamCame`. */
    find: (start: StreamStart) => judge(reservations.get(start.callId), start),
    /** The reservation of a stream that the process of the sound has checked. No other process may take it. */
    claimed: (callId: string) =>
      Effect.suspend(() => (board.shared && reservations.has(callId) ? board.take(callId) : Effect.void)).pipe(
        Effect.asVoid
      ),
    /** How many calls were placed within the last moment, and wait for their stream. */
    recent: (): number => {
      const since = clock.currentTimeMillisUnsafe() - soonMs
      return [...reservations.values()].filter(({ at }) => at > since).length
    },
    /** The reservation of this call, whoever asks. */
    of: (callId: string): Reservation | undefined => reservations.get(callId),
    /** The reservation has become a running call, which keeps the slot. */
    streamCame: (callId: string): void => {
      reservations.delete(callId)
      sound?.cancel(callId)
      slots.claim(callId)
      stopExpiry(callId)
    },
    /** Takes the stream's call off the board and makes it a reservation of this process, whichever process reserved it; or returns why not. */
    takeOver: Effect.fnUntraced(function* (start: StreamStart) {
      const { callId } = start
      const posted = yield* board.find(callId, reservations.has(callId))
      if (posted === "unreachable") return posted
      // Checked before it is taken, so that a wrong stream does not take the call from the right one.
      const found = judge(posted, start)
      if (typeof found === "string") return found
      if (!(yield* board.take(callId))) return "unknown_call"
      slots.takeOver(callId, found.agent.organizationId)
      reservations.set(callId, { ...found, at: clock.currentTimeMillisUnsafe() })
      return found
    }),
    /** Frees a reservation that was taken over and could not be started. */
    drop: (callId: string, organizationId: string) =>
      Effect.suspend(() => {
        reservations.delete(callId)
        return admission.release(callId, organizationId)
      })
  }
})
