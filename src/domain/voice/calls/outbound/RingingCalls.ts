/**
 * Counts the calls that this process has placed and that nobody has answered yet. A callee who answers must be connected, so a stopping process
 * waits for these calls. If another process gets the webhook of such a call, this one does not know; the call then counts as long as it may ring.
 */
import { Clock, Context, Effect, Layer } from "effect"

/** Time the provider may need before it rings, and to tell a person from an answering machine. Milliseconds. */
const allowanceMs = 30_000

export class RingingCalls extends Context.Service<
  RingingCalls,
  {
    /** Call it before the provider is asked to place the call. */
    readonly placed: (callId: string, ringSeconds: number) => Effect.Effect<void>
    /** The call was answered and has its slot, or will not be answered. */
    readonly settled: (callId: string) => Effect.Effect<void>
    readonly count: Effect.Effect<number>
  }
>()("parley/domain/RingingCalls") {
  static readonly layer: Layer.Layer<RingingCalls> = Layer.sync(RingingCalls, () => {
    /** Call id → Unix time in milliseconds until which the call counts; the oldest first. */
    const ringing = new Map<string, number>()
    const forgetUntil = (now: number) => {
      for (const [callId, until] of ringing) {
        if (until > now) return
        ringing.delete(callId)
      }
    }
    return RingingCalls.of({
      placed: (callId, ringSeconds) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          forgetUntil(now)
          ringing.set(callId, now + ringSeconds * 1_000 + allowanceMs)
        }),
      settled: (callId) => Effect.sync(() => void ringing.delete(callId)),
      count: Effect.map(Clock.currentTimeMillis, (now) => {
        forgetUntil(now)
        return ringing.size
      })
    })
  })
}
