/**
 * Is this process on its way out? It then begins nothing new: no calls are taken or placed, and `/readyz` says so; what runs is finished, and calls
 * that are there already (they ring, or come back from a human) are let in.
 */
import { Context, Effect, Layer } from "effect"

export class Draining extends Context.Service<
  Draining,
  {
    readonly isDraining: Effect.Effect<boolean>
    /** There is no way back. */
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
