/**
 * Whether this process is shutting down, or an operator has taken it out of use for a while. A draining process starts nothing new: it takes and places
 * no calls, and `/readyz` says so. It finishes its running work, and still admits calls that it already has (they ring, or come back from a human).
 */
import { Context, Effect, Layer } from "effect"

export class Draining extends Context.Service<
  Draining,
  {
    readonly isDraining: Effect.Effect<boolean>
    /** `out`: an operator took it out of use; `ending`: it is shutting down. */
    readonly stateNow: () => "in_use" | "out" | "ending"
    /** Starts draining. It cannot be undone. */
    readonly begin: Effect.Effect<void>
    /** Lets the process drain until it is put back into use. It does not outlive the process. */
    readonly takeOut: (out: boolean) => void
  }
>()("parley/domain/Draining") {
  static readonly layer: Layer.Layer<Draining> = Layer.sync(Draining, () => {
    let ending = false
    let isOut = false
    return Draining.of({
      isDraining: Effect.sync(() => ending || isOut),
      stateNow: () => (ending ? "ending" : isOut ? "out" : "in_use"),
      begin: Effect.sync(() => {
        ending = true
      }),
      takeOut: (out) => {
        isOut = out
      }
    })
  })
}
