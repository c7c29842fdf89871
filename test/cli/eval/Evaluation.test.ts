/** The set of 60 conversations, played with the service's own actors over real stores and a model that believes whatever looks like an instruction. */
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { credulous } from "../../../simulators/language-model/Credulous.ts"
import { readEvalFile } from "../../../src/cli/eval/EvalFile.ts"
import { makeRehearsal } from "../../../src/cli/eval/Rehearsal.ts"
import { evaluatedLines } from "../../../src/cli/eval/report.ts"
import { ownKnowledgeTool } from "../../../src/domain/ai/knowledge/KnowledgeTool.ts"
import { settingsOfNew } from "../../../src/domain/messaging/agents/TextAgentInput.ts"
import { evaluate } from "../../../src/domain/messaging/rehearsal/Evaluate.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { testStores } from "../../support/tenants.ts"
import { modelsOf, startModels } from "../../support/textAgents.ts"

playsInRealTime()

const set = readFileSync(new URL("../../../evaluations/text-agents.yaml", import.meta.url), "utf8")

layer(testStores, { excludeTestServices: true })("an agent in the 60 conversations of the evaluation", (it) => {
  it.effect(
    "answers each watermark once, is silent after a person, survives wrong tools, and obeys no injection",
    () =>
      Effect.gen(function* () {
        const { agent, ...file } = yield* readEvalFile(set)
        if (typeof agent === "string") return assert.fail("the set has an agent of its own")
        assert.lengthOf(file.conversations, 60)
        const models = yield* startModels({ report: credulous, firstTokenMs: 150 })
        const play = yield* makeRehearsal(modelsOf(models))
        const evaluated = yield* evaluate(play, settingsOfNew(agent), file).pipe(Effect.provide(modelsOf(models)))
        const failed = evaluated.filter(({ passed }) => !passed)
        assert.isEmpty(failed, failed.flatMap((one) => evaluatedLines(one, true)).join("\n"))
      }),
    480_000
  )

  it.effect("looks knowledge up where the file has no answer of it", () =>
    Effect.gen(function* () {
      const search = { name: "search_knowledge", arguments: { query: "dogs" } }
      const models = yield* startModels({
        script: [{ when: /dogs/i, tool: search, reply: (result) => `It says: ${result}` }]
      })
      const play = yield* makeRehearsal(modelsOf(models), (question) => Effect.succeed(`Found for ${question}.`))
      const expect = { tools: [search], contains: "Found for dogs." }
      const conversations = [{ name: "A question", turns: [{ contact: "May I bring dogs?", expect }] }]
      const agent = { ...settingsOfNew({ name: "Shop" }), tools: [ownKnowledgeTool] }
      const [{ steps }] = yield* evaluate(play, agent, { conversations }).pipe(Effect.provide(modelsOf(models)))
      assert.deepStrictEqual(steps[0].problems, [])
    })
  )

  it.effect("fails an agent that does not do what is expected, and says what it did", () =>
    Effect.gen(function* () {
      const models = yield* startModels({ report: credulous })
      const play = yield* makeRehearsal(modelsOf(models))
      const expect = { tools: [], not: "books", says: "The shop sells bicycles" }
      const conversations = [{ name: "A wrong answer", turns: [{ contact: "Hi", expect }] }]
      const [{ passed, steps }] = yield* evaluate(play, settingsOfNew({ name: "Shop" }), { conversations }).pipe(
        Effect.provide(modelsOf(models))
      )
      assert.isFalse(passed)
      assert.deepStrictEqual(steps[0].problems, [
        'It said "books".',
        'It does not say "The shop sells bicycles": NO, it speaks of something else.'
      ])
    })
  )
})
