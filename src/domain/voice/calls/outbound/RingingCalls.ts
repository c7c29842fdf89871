/**
 * Calls that this process has placed and that nobody has answered yet, as far as it has heard. Whoever picks up is to be connected, so a process on
 * its way out waits for them. What another process was told of a call is not known here: then it counts for as long as it may ring.
 */
import { Clock, Context, Effect, Layer } from "effect"

/** The provider may take so long before it rings, and to tell a person from an answering machine. Milliseconds. */
const aroundMs = 30_000

export class RingingCalls extends Context.Service<
  RingingCalls,
  {
    /** To be told before the provider is asked to place it. */
    readonly placed: (callId: string, ringSeconds: number) => Effect.Effect<void>
    /** It was answered and has its slot, or will not be answered. */
    readonly settled: (callId: string) => Effect.Effect<void>
    readonly count: Effect.Effect<number>
  }
>()("parley/domain/RingingCalls") {
  static readonly layer: Layer.Layer<RingingCalls> = Layer.sync(RingingCalls, () => {
    /** Call id → when it has rung for long enough, Unix time in milliseconds; the oldest first. */
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
          ringing.set(callId, now + ringSeconds * 1_000 + aroundMs)
        }),
      settled: (callId) => Effect.sync(() => void ringing.delete(callId)),
      count: Effect.map(Clock.currentTimeMillis, (now) => {
        forgetUntil(now)
        return ringing.size
      })
    })
  })
}
