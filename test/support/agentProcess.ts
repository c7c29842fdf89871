/**
 * Text agents as a process of its own, with the database and the models named in the environment. At the step FREEZE_AT it prints "frozen" and does
 * nothing more, so that a test can kill it between that step and the next.
 */
import { Effect, Layer } from "effect"
import { AgentTurns } from "../../src/domain/messaging/agents/AgentTurns.ts"
import { environmentOf, freezing, storesOf } from "./stores.ts"
import { answering } from "./textAgents.ts"

export type Step = "begun" | "tool begun" | "tool ended" | "thought" | "settled"

const { MODEL_URL = "", FILTER_URL = "" } = process.env
const freezeAt = freezing<Step>(process.env)

/** Wraps the real store to freeze before or after its steps. */
const frozenTurns = Layer.effect(
  AgentTurns,
  Effect.map(AgentTurns, (turns) =>
    AgentTurns.of({
      ...turns,
      begin: (...place) =>
        Effect.tap(turns.begin(...place), (turn) => (turn === undefined ? Effect.void : freezeAt("begun"))),
      beginTool: (...run) => Effect.tap(turns.beginTool(...run), () => freezeAt("tool begun")),
      endTool: (...end) => Effect.tap(turns.endTool(...end), () => freezeAt("tool ended")),
      settle: (...end) =>
        freezeAt("thought").pipe(
          Effect.andThen(turns.settle(...end)),
          Effect.tap(() => freezeAt("settled"))
        )
    })
  )
)

const run = Effect.gen(function* () {
  const stores = yield* Layer.build(storesOf(environmentOf(process.env)))
  const turns = yield* Effect.provide(Layer.build(frozenTurns), stores)
  const services = Layer.merge(Layer.succeedContext(stores), Layer.succeedContext(turns))
  yield* Layer.build(answering({ modelUrl: MODEL_URL, filterUrl: FILTER_URL })).pipe(Effect.provide(services))
  console.log("running")
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(run))
