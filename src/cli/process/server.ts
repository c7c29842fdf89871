/** The service in this process, which is the only one or one of the supervisor's workers. */
import { Effect, Layer } from "effect"
import type { Role, Settings } from "../../config/Environment.ts"
import { closeToOthers } from "../../integrations/storage/PrivateFolder.ts"
import { publicBaseUrl } from "../../wiring/Addresses.ts"
import * as Server from "../../wiring/Server.ts"
import * as Stopping from "./Stopping.ts"
import { isSuccessor } from "./Successor.ts"
import * as SupervisedWorker from "./SupervisedWorker.ts"
import { yieldToCalls } from "./v8.ts"

/** Runs until it is told to stop. */
export const runServer = Effect.fnUntraced(function* (settings: Settings, role: Role) {
  yield* yieldToCalls
  yield* closeToOthers(settings.dataDir)
  const stopping = yield* Stopping.signals
  const worker =
    settings.worker === undefined && settings.mediaSockets.length === 0
      ? undefined
      : yield* SupervisedWorker.attach(
          {
            of: settings.worker?.of ?? 1,
            keepsCalls: role === "app" || settings.mediaSockets.length + settings.mediaLinks.addresses.length > 0,
            isSuccessor: isSuccessor()
          },
          stopping
        )
  if (worker === undefined) yield* Stopping.endAtHangUp(stopping)
  const started = Effect.logInfo("Parley is ready", {
    role,
    url: publicBaseUrl(settings),
    port: settings.port,
    ...(settings.worker === undefined ? {} : { worker: settings.worker.id })
  }).pipe(Effect.andThen(worker?.ready ?? Effect.void))
  const server = Server.layer({
    settings,
    role,
    workers: worker?.alive,
    place: worker?.place,
    hurry: stopping.hurry,
    closing: Stopping.endSoon
  })
  yield* Effect.raceFirst(
    Layer.launch(Layer.effectDiscard(started).pipe(Layer.provide(server))),
    worker?.ended ?? Effect.never
  )
  // All is closed. The connection to the parent would keep the process.
  return process.exit(0)
})
