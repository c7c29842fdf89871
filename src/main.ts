#!/usr/bin/env node
/** The command line: `serve`, `migrate`, `demo`, `mcp`, `describe`, `admin`. Composes layers and launches them. */
// The first import: schemas made after it are compiled (docs/performance.md).
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { admin } from "./cli/admin/admin.ts"
import { demo } from "./cli/demo/demo.ts"
import { describe } from "./cli/describe/describe.ts"
import { makeEvalCommand } from "./cli/eval/eval.ts"
import { listen } from "./cli/listen.ts"
import { makeMcpCommand } from "./cli/mcp/mcp.ts"
import { logging, withFailureLogged } from "./cli/process/logging.ts"
import * as Stopping from "./cli/process/Stopping.ts"
import * as SupervisedWorker from "./cli/process/SupervisedWorker.ts"
import { parleyProcess, supervise } from "./cli/process/supervisor.ts"
import { yieldToCalls } from "./cli/process/v8.ts"
import * as Config from "./config/Config.ts"
import { workersRefusal } from "./config/ConfigChecks.ts"
import type { Role, Settings } from "./config/Environment.ts"
import { closeToOthers, privateUmask } from "./integrations/storage/PrivateFolder.ts"
import { publicBaseUrl } from "./wiring/Addresses.ts"
import * as Server from "./wiring/Server.ts"
import { storage } from "./wiring/Storage.ts"

process.umask(privateUmask)

/** In development without provider keys, starts the simulators and points the settings at them. Otherwise returns the settings unchanged. */
const withProviders = Effect.fnUntraced(function* (settings: Settings) {
  if (Option.isSome(settings.reasoning.key) || settings.environment === "production") return settings
  const { simulated } = yield* Effect.promise(() => import("./cli/demo/simulated.ts"))
  yield* Effect.logWarning("No provider keys: talking to the simulators (set REASONING_API_KEY and the others)")
  return yield* simulated(settings)
})

const role = Flag.Literals("role", ["all", "app", "engine"]).pipe(
  Flag.withDescription("What this process does: the app (REST, webhooks), the engine (calls), or both"),
  Flag.withDefault("all")
)

const workers = Flag.Int("workers").pipe(
  Flag.withDescription("Processes that share the port, one per core; more than one needs REDIS_URL and DATABASE_URL"),
  Flag.withDefault(1)
)

/** Runs the server in this process, which is the only one or one of the supervisor's workers. */
const runServer = Effect.fnUntraced(function* (settings: Settings, role: Role) {
  yield* yieldToCalls
  yield* closeToOthers(settings.dataDir)
  const stopping = yield* Stopping.signals
  const worker =
    settings.worker === undefined ? undefined : yield* SupervisedWorker.attach(settings.worker.of, stopping)
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
    hurry: stopping.hurry,
    closing: Stopping.endSoon
  })
  return yield* Layer.launch(Layer.effectDiscard(started).pipe(Layer.provide(server)))
})

const serve = Command.make(
  "serve",
  { role, workers },
  Effect.fnUntraced(
    function* ({ role, workers }) {
      const settings = yield* Config.loadFor(role)
      const complaint = workersRefusal(settings, workers, role)
      if (complaint !== undefined) return yield* new Config.ConfigInvalid({ message: complaint })
      if (workers === 1 || settings.worker !== undefined)
        return yield* runServer(yield* withProviders(settings), role).pipe(Effect.provide(logging(settings)))
      const { hurry } = yield* Stopping.signals
      const launch = parleyProcess(settings, workers, ["serve", "--role", role])
      return yield* supervise({ workers, launch, hurry }).pipe(Effect.provide(logging(settings)))
    },
    Effect.scoped,
    withFailureLogged
  )
).pipe(Command.withDescription("Run the service"))

const migrate = Command.make(
  "migrate",
  {},
  Effect.fnUntraced(function* () {
    const settings = yield* Config.loadFor("administration")
    yield* Effect.scoped(Layer.build(storage(settings))).pipe(Effect.provide(logging(settings)))
    yield* Console.log("The database is up to date.")
  }, withFailureLogged)
).pipe(Command.withDescription("Bring the database schema up to date"))

const adminWithServices = admin.pipe(
  Command.provide(Layer.unwrap(Effect.map(Config.loadFor("administration"), Server.administration)))
)

const mcp = makeMcpCommand(withProviders)

const evaluation = makeEvalCommand(Effect.flatMap(Config.loadFor("administration"), withProviders))

const parley = Command.make("parley").pipe(
  Command.withDescription("Customer messaging with AI voice agents that answer and place phone calls"),
  Command.withSubcommands([serve, migrate, demo, listen, mcp, evaluation, describe, adminWithServices])
)

Command.run(parley, { version: "0.1.0" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
