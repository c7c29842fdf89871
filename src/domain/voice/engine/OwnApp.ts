/** The app, when it runs in the engine's own process. The engine then hands it call events directly instead of over HTTP. */
import { Context, Effect, Layer, type Scope } from "effect"
import type { CallEvent } from "./CallEvent.ts"

/** Applies an event once, exactly as the app does with an event posted over HTTP. Dies when that fails. */
export type TakeEvent = (event: CallEvent) => Effect.Effect<void>

export class OwnApp extends Context.Service<
  OwnApp,
  {
    /** Registers the app until the scope closes. */
    readonly enter: (take: TakeEvent) => Effect.Effect<void, never, Scope.Scope>
    /** The registered app. `undefined` before the app registers and after its scope closes. */
    readonly current: () => TakeEvent | undefined
  }
>()("parley/domain/OwnApp") {
  static readonly layer: Layer.Layer<OwnApp> = Layer.sync(OwnApp, () => {
    let registered: TakeEvent | undefined
    return {
      enter: (take) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            registered = take
          }),
          () =>
            Effect.sync(() => {
              registered = undefined
            })
        ),
      current: () => registered
    }
  })
}
