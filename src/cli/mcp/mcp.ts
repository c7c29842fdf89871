/**
 * `parley mcp`: MCP over stdio, for an assistant that starts it as a program. It asks a running service (`--url`), or starts the service of the local data
 * folder for itself. Standard output has only the protocol; logs go to standard error.
 */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { Config, Effect, Layer, Logger, Option, Redacted, type Scope } from "effect"
import { Command, Flag } from "effect/cli"
import { loadFor } from "../../config/Config.ts"
import type { Settings } from "../../config/Environment.ts"
import { type AnswerOf, makeFirstSdkServer } from "../../http/mcp/transport/FirstSdkServer.ts"
import { freePort } from "../../integrations/web/FreePort.ts"
import * as Server from "../../wiring/Server.ts"
import { askService, checkService, McpRefused, type ServiceAddress, untilRefused } from "./RemoteAssistant.ts"

const logging = Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)])

const noKey = new McpRefused({
  message: "Set PARLEY_API_KEY to an API key with the scope mcp. An OWNER makes one: parley admin create-api-key."
})

const parseError = {
  jsonrpc: "2.0",
  error: { code: -32_700, message: "Parse error: this line is no message" },
  id: null
}

/** How long the input may have ended before its last answer is given up. */
const longestAnswer = "30 seconds"

/** The service's answers, and whether any is still to come. */
const counted = (answerOf: AnswerOf) => {
  let underWay = 0
  return {
    isBusy: () => underWay > 0,
    answerOf: async (...asked: Parameters<AnswerOf>) => {
      underWay++
      try {
        return await answerOf(...asked)
      } finally {
        underWay--
      }
    }
  }
}

/** Completes when standard input has ended, and what it asked for is answered: a script writes its requests and closes. */
const inputEnds = (isBusy: () => boolean) =>
  Effect.callback<void>((resume) => {
    const end = () => resume(Effect.void)
    if (process.stdin.readableEnded || process.stdin.destroyed) return end()
    process.stdin.once("end", end)
    process.stdin.once("close", end)
  }).pipe(
    Effect.andThen(
      Effect.sleep("20 millis").pipe(Effect.repeat({ while: isBusy }), Effect.timeoutOption(longestAnswer))
    ),
    // The answer is written a moment after it came.
    Effect.andThen(Effect.sleep("20 millis"))
  )

/** Serves the protocol on standard input and output until the input ends, or the key does. */
const serveStdio = Effect.fnUntraced(function* (address: ServiceAddress) {
  yield* checkService(address)
  const { answerOf, isBusy } = counted(askService(address))
  const server = makeFirstSdkServer(answerOf)
  const transport = new StdioServerTransport()
  server.onerror = (error) => {
    if (error instanceof SyntaxError || error.name === "ZodError")
      process.stdout.write(`${JSON.stringify(parseError)}\n`)
  }
  yield* Effect.acquireRelease(
    Effect.promise(() => server.connect(transport)),
    () => Effect.promise(() => server.close())
  )
  yield* Effect.raceFirst(inputEnds(isBusy), untilRefused(address))
})

/** The service of the local data folder, on a port of loopback that nobody else knows. */
const startOwn = Effect.fnUntraced(function* (settings: Settings) {
  const port = yield* Effect.promise(freePort)
  const url = `http://127.0.0.1:${port}`
  const own = { ...settings, host: "127.0.0.1", port, publicBaseUrl: Option.some(url), worker: undefined }
  yield* Effect.catchCause(Layer.build(Server.all(own)), (cause) =>
    Effect.andThen(
      Effect.logError("the service could not be started", cause),
      new McpRefused({
        message: `The service of ${settings.dataDir} could not be started. If it runs already, name it with --url.`
      })
    )
  )
  return url
})

export type WithProviders = (settings: Settings) => Effect.Effect<Settings, unknown, Scope.Scope>

/** `withProviders` gives the settings with providers, simulated ones in development without keys. */
export const makeMcpCommand = (withProviders: WithProviders) =>
  Command.make(
    "mcp",
    {
      url: Flag.String("url").pipe(
        Flag.withDescription("A running service, e.g. https://app.example.com"),
        Flag.optional
      ),
      toolsets: Flag.String("toolsets").pipe(
        Flag.withDescription("Only these groups of tools, separated by commas, e.g. contacts,messaging"),
        Flag.withDefault("")
      ),
      readonly: Flag.Boolean("readonly").pipe(
        Flag.withDescription("Only tools that change nothing"),
        Flag.withDefault(false)
      )
    },
    Effect.fnUntraced(
      function* ({ url, toolsets, readonly }) {
        const key = yield* Config.option(Config.Redacted("PARLEY_API_KEY"))
        if (Option.isNone(key)) return yield* noKey
        const query = `?${new URLSearchParams({ toolsets, readonly: readonly ? "1" : "0" })}`
        const own = Effect.gen(function* () {
          return yield* startOwn(yield* withProviders(yield* loadFor("all")))
        })
        const address = Option.isSome(url) ? url.value : yield* own
        yield* serveStdio({ url: address, key: Redacted.value(key.value), query })
      },
      Effect.scoped,
      Effect.provide(logging)
    )
  ).pipe(Command.withDescription("Offer the tools of the MCP server to an assistant, over standard input and output"))
