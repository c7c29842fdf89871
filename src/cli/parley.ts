/** The command line: `serve`, `migrate`, `demo`, `mcp`, `describe`, `admin` and others. */
// The first import: schemas made after it are compiled (docs/performance.md).
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { privateUmask } from "../integrations/storage/PrivateFolder.ts"
import { commandsFor } from "./commands.ts"

process.umask(privateUmask)

const parley = Command.make("parley").pipe(
  Command.withDescription("Customer messaging with AI voice agents that answer and place phone calls"),
  Command.withSubcommands(await commandsFor(process.argv.slice(2)))
)

Command.run(parley, { version: "0.1.0" }).pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
