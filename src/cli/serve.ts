/** `parley serve`: the service in this process, or in several that this one supervises. */
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import * as Config from "../config/Config.ts"
import { workersRefusal } from "../config/ConfigChecks.ts"
import { logging, withFailureLogged } from "./process/logging.ts"
import * as Stopping from "./process/Stopping.ts"
import { parleyProcess, supervise } from "./process/supervisor.ts"
import { withProviders } from "./providers.ts"

const role = Flag.Literals("role", ["all", "app", "engine"]).pipe(
  Flag.withDescription("What this process does: the app (REST, webhooks), the engine (calls), or both"),
  Flag.withDefault("all")
)

const workers = Flag.Int("workers").pipe(
  Flag.withDescription("Processes that share the port, one per core; more than one needs REDIS_URL and DATABASE_URL"),
  Flag.withDefault(1)
)

export const serve = Command.make(
  "serve",
  { role, workers },
  Effect.fnUntraced(
    function* ({ role, workers }) {
      const settings = yield* Config.loadFor(role)
      const complaint = workersRefusal(settings, workers, role)
      if (complaint !== undefined) return yield* new Config.ConfigInvalid({ message: complaint })
      if (workers === 1 || settings.worker !== undefined) {
        // A process that supervises never loads the service.
        const { runServer } = yield* Effect.promise(() => import("./process/server.ts"))
        return yield* runServer(yield* withProviders(settings), role).pipe(Effect.provide(logging(settings)))
      }
      const { hurry } = yield* Stopping.signals
      const launch = parleyProcess(settings, workers, ["serve", "--role", role])
      return yield* supervise({ workers, launch, hurry }).pipe(Effect.provide(logging(settings)))
    },
    Effect.scoped,
    withFailureLogged
  )
).pipe(Command.withDescription("Run the service"))
