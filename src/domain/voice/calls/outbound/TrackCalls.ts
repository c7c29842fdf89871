/**
 * Use case: follow calls by the telephony provider's reports. Its callbacks may be lost, so the provider is asked about calls that have not
 * ended for too long. A call whose engine died before it began gets its end here, too.
 */
import { Clock, Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { type TelephonyConnection, TelephonyConnections } from "../../telephony/PhoneNumber.ts"
import { isFinal, statusNamed } from "../records/CallProgress.ts"
import { type CallName, Calls } from "../records/CallRecord.ts"
import { Placements } from "./Placement.ts"
import { ProviderCalls } from "./ProviderCalls.ts"
import { RingingCalls } from "./RingingCalls.ts"

/** A status callback. Its account has been verified. */
export interface StatusCallback {
  /** Our id, when the address of the callback carries it. */
  readonly callId: string | undefined
  readonly callSid: string
  /** The provider's name of the status. */
  readonly status: string
  readonly sequence: number | null
  /** Unix time in milliseconds; undefined when the provider does not say. */
  readonly at: number | undefined
  readonly durationSeconds: number | null
  /** The SIP response of a carrier that refused the call; otherwise empty. */
  readonly sipResponse: string
}

/** The provider is not asked about a call younger than this (ms): its callbacks may still arrive. */
const patienceMs = 120_000
/** The least time between two questions about one call (ms). */
const askAgainMs = 300_000
/** The engine may tell the end of a call so long after the provider (ms): its app may have been away. */
const engineMs = 300_000
/** Ends that were missed for longer are left alone (ms). */
const lookBackMs = 86_400_000

const failureOf = (status: string, sipResponse: string): string | null => {
  if (status !== "failed") return null
  const why = sipResponse === "" ? "" : ` (SIP response ${sipResponse})`
  return `The telephony provider could not connect the call${why}.`
}

/** Needs its ports; the functions it returns need nothing. */
export const makeTrackCalls = Effect.gen(function* () {
  const calls = yield* Calls
  const placements = yield* Placements
  const connections = yield* TelephonyConnections
  const provider = yield* ProviderCalls
  const ringing = yield* RingingCalls

  /** Applies a status callback. A callback of an unknown call is ignored: that call was rejected before it was recorded. */
  const callback = traced("TrackCalls.callback")(function* (
    { organizationId }: TelephonyConnection,
    { callId, callSid, status, sequence, at, durationSeconds, sipResponse }: StatusCallback
  ) {
    const told = statusNamed(status)
    if (told === undefined) return yield* Effect.logWarning("a call has an unknown status", { callSid, status })
    // The first callback may come before the answer to the request that placed the call, or instead of it.
    if (callId !== undefined && !(yield* placements.placed(organizationId, callId, callSid))) return
    if (callId !== undefined && isFinal(told)) yield* ringing.settled(callId)
    const name: CallName = callId === undefined ? { callSid } : { id: callId }
    yield* calls.told(organizationId, name, {
      status: told,
      sequence,
      at: at ?? (yield* Clock.currentTimeMillis),
      durationSeconds,
      failureReason: failureOf(status, sipResponse)
    })
  })

  const askFor = traced("TrackCalls.askFor")(function* (organizationId: string, id: string) {
    const now = yield* Clock.currentTimeMillis
    yield* calls.asked(organizationId, id, now)
    const call = yield* calls.find(organizationId, id)
    const connection = yield* connections.find(organizationId)
    if (call?.callSid == null || connection === undefined) return
    const found = yield* provider.fetch(connection, call.callSid).pipe(
      Effect.catchIf(
        ({ status }) => status === 404,
        () => Effect.succeed({ status: "failed", endedAt: null, durationSeconds: null } as const)
      ),
      Effect.catch(({ message }) =>
        Effect.as(
          Effect.logWarning("the provider does not say what became of a call", { callId: id, message }),
          undefined
        )
      )
    )
    if (found === undefined) return
    const { status, endedAt, durationSeconds } = found
    yield* calls.told(
      organizationId,
      { id },
      {
        status,
        sequence: null,
        at: endedAt ?? now,
        durationSeconds,
        failureReason: failureOf(status, "")
      }
    )
  })

  /** Asks the provider about every call that has not ended for too long. */
  const askForUnfinished = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const unfinished = yield* calls.unfinished(now - patienceMs, now - askAgainMs)
    yield* Effect.forEach(unfinished, ({ organizationId, id }) => askFor(organizationId, id), {
      concurrency: 4,
      discard: true
    })
  })

  /** Ends calls whose engine has died with their reservation: neither it nor another one knows of them. */
  const endWithoutEngine = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const lost = yield* calls.withoutEngine(now - lookBackMs, now - engineMs)
    yield* Effect.forEach(lost, ({ organizationId, id, status }) =>
      // Whoever gives up before a stream has come is told as `canceled` or the like.
      calls.close(organizationId, id, status, status === "completed" || status === "failed" ? "error" : "caller_hangup")
    )
  })

  return { callback, askForUnfinished, endWithoutEngine }
})
