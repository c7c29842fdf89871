/** `parley eval --voice`: the turns of an evaluation are spoken over the media stream of a real service, and judged as those of a chat. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { makeSpokenRehearsal } from "../../../src/cli/demo/spokenRehearsal.ts"
import { evaluatedLines } from "../../../src/cli/eval/report.ts"
import * as Config from "../../../src/config/Config.ts"
import { settingsOfNew } from "../../../src/domain/messaging/agents/TextAgentInput.ts"
import { evaluate } from "../../../src/domain/messaging/rehearsal/Evaluate.ts"
import { temporaryFolder } from "../../support/folder.ts"
import { freshDatabaseUrl } from "../../support/postgres.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { modelsOf, startModels } from "../../support/textAgents.ts"

playsInRealTime()

const string = { type: "string" } as const

describe("an evaluation that is spoken", () => {
  it.live(
    "hears the turns, has the tools answered from the file, and tells a hand-over",
    () =>
      Effect.gen(function* () {
        const models = yield* startModels({
          script: [
            {
              when: /order two zero four one/i,
              tool: { name: "find_order", arguments: { orderNumber: "2041" } },
              reply: (result) => (result.includes("ready") ? "Your order is ready." : "I do not know that order.")
            }
          ]
        })
        const provider = (baseUrl: string) => ({ baseUrl, key: Option.some(Redacted.make("key")) })
        const settings = {
          ...(yield* Config.load),
          dataDir: yield* temporaryFolder("spoken"),
          databaseUrl: Option.some(Redacted.make(yield* freshDatabaseUrl)),
          redisUrl: Option.none(),
          reasoning: provider(models.modelUrl),
          moderation: provider(models.filterUrl)
        }
        const play = yield* makeSpokenRehearsal(settings)
        const agent = settingsOfNew({
          name: "Shop",
          tools: [
            {
              name: "find_order",
              description: "Finds an order.",
              parameters: { type: "object", properties: { orderNumber: string } },
              handler: { type: "http", url: "https://shop.example.com/orders", method: "POST" }
            }
          ]
        })
        const tools = { find_order: { orderNumber: "2041", state: "ready" } }
        const order = "Is my order two zero four one ready?"
        const human = "I would like to speak to a human please."
        const called = { name: "find_order", arguments: { orderNumber: "2041" } }
        const conversations = [
          {
            name: "An order and a human",
            turns: [
              { contact: order, expect: { contains: "is ready", tools: [called] } },
              { contact: human, expect: { outcome: "handed_over" as const } }
            ]
          },
          { name: "Something else is expected", turns: [{ contact: order, expect: { not: "ready", tools: [] } }] }
        ]
        const [good, bad] = yield* evaluate(play, agent, { tools, conversations }).pipe(
          Effect.provide(modelsOf(models))
        )
        assert.isTrue(good.passed, evaluatedLines(good, true).join("\n"))
        assert.deepStrictEqual(bad.steps[0].problems, ['It said "ready".', "It called find_order."])
        const human2 = [{ name: "A person", turns: [{ human: "I am Ben." }] }]
        const refused = yield* Effect.flip(
          evaluate(play, agent, { conversations: human2 }).pipe(Effect.provide(modelsOf(models)))
        )
        assert.include(String("message" in refused ? refused.message : ""), "only turns of the contact")
      }).pipe(Effect.scoped),
    240_000
  )
})
