/** The app in the engine's own process, while it is there: what happens in a call need not go over HTTP to it. */
import { Context, Effect, Layer, type Scope } from "effect"
import type { CallEvent } from "./CallEvent.ts"

/** Applies an event once, as the app does for one that was posted. Dies when that fails. */
export type TakeEvent = (event: CallEvent) => Effect.Effect<void>

export class OwnApp extends Context.Service<
  OwnApp,
  {
    /** The app is there until the scope closes. */
    readonly enter: (take: TakeEvent) => Effect.Effect<void, never, Scope.Scope>
    /** Undefined: it is not there yet, or no more. */
    readonly current: () => TakeEvent | undefined
  }
>()("parley/domain/OwnApp") {
  static readonly layer: Layer.Layer<OwnApp> = Layer.sync(OwnApp, () => {
    let there: TakeEvent | undefined
    return {
      enter: (take) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            there = take
          }),
          () =>
            Effect.sync(() => {
              there = undefined
            })
        ),
      current: () => there
    }
  })
}
