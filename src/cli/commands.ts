/** The commands of `parley`. The modules of the service take seconds to load, so those of a command are loaded when it is named. */
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import * as Config from "../config/Config.ts"
import { withProviders } from "./providers.ts"

const loaders = {
  serve: async () => (await import("./serve.ts")).serve,
  migrate: async () => (await import("./migrate.ts")).migrate,
  demo: async () => (await import("./demo/demo.ts")).demo,
  listen: async () => (await import("./listen.ts")).listen,
  mcp: async () => (await import("./mcp/mcp.ts")).makeMcpCommand(withProviders),
  eval: async () =>
    (await import("./eval/eval.ts")).makeEvalCommand(
      Effect.flatMap(Config.loadFor("administration"), withProviders),
      async () => (await import("./demo/spokenRehearsal.ts")).makeSpokenRehearsal
    ),
  describe: async () => (await import("./describe/describe.ts")).describe,
  admin: async () => {
    const [{ admin }, { administration }] = await Promise.all([
      import("./admin/admin.ts"),
      import("../wiring/Server.ts")
    ])
    return admin.pipe(Command.provide(Layer.unwrap(Effect.map(Config.loadFor("administration"), administration))))
  }
}

const isCommand = (name: string | undefined): name is keyof typeof loaders =>
  name !== undefined && Object.hasOwn(loaders, name)

/** The command that the arguments begin with; all commands when they begin with something else, e.g. `--help`. */
export const commandsFor = ([name]: ReadonlyArray<string>) =>
  Promise.all(isCommand(name) ? [loaders[name]()] : Object.values(loaders).map((load) => load()))
