#!/usr/bin/env node
/** The command line: `serve`, `migrate`, `demo`, `admin`. Composes layers and launches them. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Layer, Logger, Option, References } from "effect"
import { Command, Flag } from "effect/cli"
import * as Config from "./Config.ts"
import { admin } from "./cli/admin.ts"
import * as Server from "./Server.ts"

/** JSON for machines in production, one readable line for people elsewhere. */
const logging = (settings: Config.Settings) =>
  Logger.layer([settings.environment === "production" ? Logger.consoleJson : Logger.consolePretty()])

/** Without provider keys, development talks to the simulators; production refuses. */
const withProviders = Effect.fnUntraced(function* (settings: Config.Settings) {
  if (Option.isSome(settings.reasoning.key) || settings.environment === "production") return settings
  const { simulated } = yield* Effect.promise(() => import("./cli/demo/simulated.ts"))
  yield* Effect.logWarning("No provider keys: talking to the simulators (set REASONING_API_KEY and the others)")
  return yield* simulated(settings)
})

const role = Flag.Literals("role", ["all", "app", "engine"]).pipe(
  Flag.withDescription("What this process does: the app (REST, webhooks), the engine (calls), or both"),
  Flag.withDefault("all")
)

const serve = Command.make(
  "serve",
  { role },
  Effect.fnUntraced(function* ({ role }) {
    const settings = yield* Effect.flatMap(Config.load, withProviders)
    const started = Effect.logInfo("Parley is ready", {
      role,
      url: Server.publicBaseUrl(settings),
      port: settings.port
    })
    yield* Layer.launch(Layer.effectDiscard(started).pipe(Layer.provide(Server.layer(settings, role)))).pipe(
      Effect.provide(logging(settings))
    )
  }, Effect.scoped)
).pipe(Command.withDescription("Run the service"))

const migrate = Command.make(
  "migrate",
  {},
  Effect.fnUntraced(function* () {
    const settings = yield* Config.load
    yield* Effect.scoped(Layer.build(Server.storage(settings))).pipe(Effect.provide(logging(settings)))
    yield* Console.log("The database is up to date.")
  })
).pipe(Command.withDescription("Bring the database schema up to date"))

const demo = Command.make(
  "demo",
  {
    json: Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false)),
    keep: Flag.Boolean("keep").pipe(Flag.withDescription("Leave the service running"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function* (options) {
    const settings = yield* Config.load
    const { demo } = yield* Effect.promise(() => import("./cli/demo/demo.ts"))
    yield* Effect.scoped(demo(settings, options)).pipe(
      Effect.provide(logging(settings)),
      Effect.provideService(References.MinimumLogLevel, "Warn")
    )
  })
).pipe(Command.withDescription("Answer a real phone call on this machine, with simulated providers"))

const adminWithStorage = admin.pipe(Command.provide(Layer.unwrap(Effect.map(Config.load, Server.storage))))

const parley = Command.make("parley").pipe(
  Command.withDescription("Customer messaging with AI voice agents that answer and place phone calls"),
  Command.withSubcommands([serve, migrate, demo, adminWithStorage])
)

Command.run(parley, { version: "0.1.0" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
