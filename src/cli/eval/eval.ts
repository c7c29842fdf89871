/**
 * `parley eval`: plays conversations with an agent and judges what it does. The agent is read from the file or from the service's database, which is not
 * changed; the conversations take place in a database of their own, which is removed afterwards.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Console, Effect, Layer, Option, type Redacted, References, Schema, type Scope } from "effect"
import { Argument, CliError, Command, Flag } from "effect/cli"
import { stringify } from "yaml"
import type { Settings } from "../../config/Environment.ts"
import { makeLookUp, noAnswer } from "../../domain/ai/knowledge/KnowledgeTool.ts"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { settingsOfNew } from "../../domain/messaging/agents/TextAgentInput.ts"
import { type Evaluated, evaluate, type Play } from "../../domain/messaging/rehearsal/Evaluate.ts"
import { languageModel, moderation } from "../../wiring/Models.ts"
import { storage } from "../../wiring/Storage.ts"
import { storedAgent } from "./AgentUnderTest.ts"
import { type EvalFile, readEvalFile } from "./EvalFile.ts"
import { makeRecord } from "./Record.ts"
import { type LookUp, makeRehearsal } from "./Rehearsal.ts"
import { evaluatedLines } from "./report.ts"

/** Why there is no evaluation. The operator sees its message. */
export class EvalError extends Schema.TaggedError<EvalError>()("EvalError", { message: Schema.String }) {
  override get [CliError.userMessage]() {
    return this.message
  }
}

const explained = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, ({ message }) => new EvalError({ message }))

/** As for turns of text agents. */
const maxTokens = 1_500

const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-eval-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** The settings of a database that exists for the evaluation alone. */
const apart = (settings: Settings, dataDir: string): Settings => ({
  ...settings,
  dataDir,
  databaseUrl: Option.none<Redacted.Redacted>(),
  migrationDatabaseUrl: Option.none<Redacted.Redacted>()
})

const readFileOf = (path: string) =>
  Effect.tryPromise({
    try: () => readFile(path, "utf8"),
    catch: (error) => new EvalError({ message: `${path} cannot be read: ${messageOf(error)}` })
  })

/** An agent of the service's database as it is now, and what its knowledge bases say. The database is open as long as the scope. */
const agentOfDatabase = Effect.fnUntraced(function* (settings: Settings, organization = "", id: string) {
  const stores = yield* Layer.build(storage(settings))
  return yield* Effect.gen(function* () {
    const agent = yield* storedAgent(organization, id)
    const find = yield* makeLookUp
    const lookUp: LookUp = (question) =>
      Effect.map(find(organization, agent.knowledgeBases, question), ({ text }) => text || noAnswer)
    return { agent, lookUp: agent.knowledgeBases.length === 0 ? undefined : lookUp }
  }).pipe(Effect.provide(stores))
})

/** Makes what plays conversations as calls, over the simulators. `settings`: of a service of its own. */
export type Speaking = (
  settings: Settings,
  lookUp: LookUp | undefined
) => Effect.Effect<Play<{ readonly message: string }, never>, { readonly message: string }, Scope.Scope>

/** Plays a file, as calls with `speaking`. Gives whether everything was as expected. */
export const runEvaluation = Effect.fnUntraced(function* (
  settings: Settings,
  file: EvalFile,
  options: { readonly json: boolean; readonly all: boolean },
  speaking?: Speaking
) {
  const { agent: given, organization } = file
  const { agent, lookUp } =
    typeof given === "string"
      ? yield* explained(agentOfDatabase(settings, organization, given))
      : { agent: settingsOfNew(given), lookUp: undefined }
  const folder = yield* temporaryFolder
  const models = Layer.merge(languageModel(settings, maxTokens), moderation(settings))
  const own = apart(settings, folder)
  const told = (one: Evaluated) =>
    options.json ? Effect.void : Console.log(evaluatedLines(one, options.all).join("\n"))
  const evaluated =
    speaking === undefined
      ? yield* Effect.gen(function* () {
          const play = yield* makeRehearsal(models, lookUp)
          return yield* Effect.provide(evaluate(play, agent, file, told), models)
        }).pipe(Effect.provide(yield* Layer.build(storage(own))))
      : yield* explained(
          Effect.flatMap(speaking(own, lookUp), (play) =>
            Effect.provide(evaluate(play, agent, file, told), models)
          ).pipe(
            // What a whole service logs would hide the conversations.
            Effect.provideService(References.MinimumLogLevel, "Error")
          )
        )
  const passed = evaluated.filter((one) => one.passed).length
  yield* options.json
    ? Console.log(JSON.stringify({ passed, of: evaluated.length, conversations: evaluated }))
    : Console.log(
        file.conversations.some(({ turns }) => turns.some(({ expect }) => expect !== undefined))
          ? `${passed} of ${evaluated.length} conversations passed.`
          : "Nothing is expected in it: --record prints it as a file, to which expectations can be added."
      )
  return passed === evaluated.length
}, Effect.scoped)

const what = Argument.String("what").pipe(
  Argument.withDescription("A file (YAML), or a conversation (cnv_…) or call (call_…) that is played again")
)
const organization = Flag.String("organization").pipe(
  Flag.withDescription("The organization (org_…) of a conversation or call"),
  Flag.optional
)
const agent = Flag.String("agent").pipe(
  Flag.withDescription(
    "Play a conversation or call with this agent (bot_… or agt_…) instead of the one that was there"
  ),
  Flag.optional
)
const record = Flag.Boolean("record").pipe(
  Flag.withDescription("Print the evaluation of a conversation or call as YAML, and do not play it"),
  Flag.withDefault(false)
)
const json = Flag.Boolean("json").pipe(Flag.withDescription("Print one JSON object"), Flag.withDefault(false))
const voice = Flag.Boolean("voice").pipe(
  Flag.withDescription("Play them as telephone calls, with simulated speech; only turns of the contact"),
  Flag.withDefault(false)
)
const all = Flag.Boolean("all").pipe(
  Flag.withDescription("Print also the conversations that passed"),
  Flag.withDefault(false)
)

/** `settings`: the settings of the process, with the simulators in place of providers without keys. `speaking` is loaded only for `--voice`. */
export const makeEvalCommand = <E, R>(settings: Effect.Effect<Settings, E, R>, speaking: () => Promise<Speaking>) =>
  Command.make(
    "eval",
    { what, organization, agent, record, json, all, voice },
    Effect.fnUntraced(function* ({ what, organization, agent, record, json, all, voice }) {
      const own = yield* settings
      const isReal = /^(cnv|call)_[0-9A-Za-z]+$/.test(what)
      if (isReal && Option.isNone(organization))
        return yield* new EvalError({ message: "Name the organization of it with --organization." })
      const file: EvalFile =
        isReal && Option.isSome(organization)
          ? yield* explained(
              Effect.flatMap(makeRecord, (recorded) =>
                recorded(organization.value, what, Option.getOrUndefined(agent))
              ).pipe(Effect.provide(storage(own)))
            )
          : yield* explained(Effect.flatMap(readFileOf(what), readEvalFile))
      if (record) return yield* Console.log(stringify(file))
      const speech = voice ? yield* Effect.promise(speaking) : undefined
      if (!(yield* runEvaluation(own, file, { json, all: all || isReal }, speech))) process.exitCode = 1
    }, Effect.scoped)
  ).pipe(Command.withDescription("Play conversations with an agent, and judge what it does"))
