/**
 * Whether this process is shutting down. A draining process starts nothing new: it takes and places no calls, and `/readyz` says so. It finishes
 * its running work, and still admits calls that it already has (they ring, or come back from a human).
 */
import { Context, Effect, Layer } from "effect"

export class Draining extends Context.Service<
  Draining,
  {
    readonly isDraining: Effect.Effect<boolean>
    /** Starts draining. It cannot be undone. */
    readonly begin: Effect.Effect<void>
  }
>()("parley/domain/Draining") {
  static readonly layer: Layer.Layer<Draining> = Layer.sync(Draining, () => {
    let draining = false
    return Draining.of({
      isDraining: Effect.sync(() => draining),
      begin: Effect.sync(() => {
        draining = true
      })
    })
  })
}
