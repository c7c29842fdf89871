/**
 * How the engine reaches the app of its own process. Events go to it directly, with the answers that HTTP would give. HTTP is used while the app is
 * not there, and for tools, because a tool call may outlive the fiber that asked for it.
 */
import { Effect, Layer } from "effect"
import { AppCallbacks, EngineProtocolError } from "../../domain/voice/engine/EnginePorts.ts"
import { OwnApp } from "../../domain/voice/engine/OwnApp.ts"
import * as HttpAppCallbacks from "./HttpAppCallbacks.ts"

const later = (status: number | null, message: string) => new EngineProtocolError({ status, retryable: true, message })

/** Needs OwnApp. */
export const layer = (options: HttpAppCallbacks.HttpAppCallbacksOptions): Layer.Layer<AppCallbacks, never, OwnApp> =>
  Layer.effect(
    AppCallbacks,
    Effect.gen(function* () {
      const overHttp = yield* AppCallbacks
      const app = yield* OwnApp
      const timeoutMs = options.deliverTimeoutMs ?? HttpAppCallbacks.deliverTimeoutMs
      return AppCallbacks.of({
        runTool: overHttp.runTool,
        lookUp: overHttp.lookUp,
        notices: overHttp.notices,
        deliver: (event) =>
          Effect.suspend(() => {
            const take = app.current()
            if (take === undefined) return overHttp.deliver(event)
            return take(event).pipe(
              Effect.catchDefect((defect) =>
                Effect.logError("an event of a call could not be applied", { callId: event.callId }, defect).pipe(
                  Effect.andThen(Effect.fail(later(500, "The app could not apply the event.")))
                )
              ),
              Effect.timeoutOrElse({
                duration: timeoutMs,
                orElse: () => Effect.fail(later(null, `The app did not answer within ${timeoutMs} ms.`))
              })
            )
          })
      })
    })
  ).pipe(Layer.provide(HttpAppCallbacks.layer(options)))
