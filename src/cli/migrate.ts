/** `parley migrate` */
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import * as Config from "../config/Config.ts"
import { storage } from "../wiring/Storage.ts"
import { logging, withFailureLogged } from "./process/logging.ts"

export const migrate = Command.make(
  "migrate",
  {},
  Effect.fnUntraced(function* () {
    const settings = yield* Config.loadFor("administration")
    yield* Effect.scoped(Layer.build(storage(settings))).pipe(Effect.provide(logging(settings)))
    yield* Console.log("The database is up to date.")
  }, withFailureLogged)
).pipe(Command.withDescription("Bring the database schema up to date"))
