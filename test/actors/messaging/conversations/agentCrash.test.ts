/** A process is killed between any two steps of a text agent's turn: the contact gets one answer, and a tool that changes something runs once at most. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import type { Step } from "../../../support/agentProcess.ts"
import { newConversation } from "../../../support/conversations.ts"
import { eventually } from "../../../support/eventually.ts"
import { killable, startWithin } from "../../../support/killed.ts"
import { connectChannel } from "../../../support/messaging.ts"
import { playsInRealTime } from "../../../support/Slowness.ts"
import { newStores, storesOf, variablesOf } from "../../../support/stores.ts"
import { newOrganization } from "../../../support/tenants.ts"
import { newTextAgent, startModels, startTool } from "../../../support/textAgents.ts"

playsInRealTime()

const agentProcess = (env: Readonly<Record<string, string>>) => killable("agentProcess.ts", env)

const desk = Effect.gen(function* () {
  const environment = yield* newStores
  const stores = yield* Layer.build(storesOf(environment))
  const tool = yield* startTool
  const { modelUrl, filterUrl } = yield* startModels({
    script: [
      { when: /book/i, tool: { name: "book", arguments: { day: "Friday" } }, reply: (result) => `Booked: ${result}` }
    ]
  })
  const env = { ...variablesOf(environment), MODEL_URL: modelUrl, FILTER_URL: filterUrl }
  const answers = yield* Effect.gen(function* () {
    const { id: organizationId } = yield* newOrganization()
    yield* connectChannel(organizationId)
    const book = {
      name: "book",
      description: "Books a visit.",
      parameters: { type: "object" as const, properties: { day: { type: "string" } } },
      handler: { type: "http" as const, url: tool.url, method: "POST" as const }
    }
    yield* newTextAgent(organizationId, { tools: [book] })
    const { conversationId } = yield* newConversation(organizationId)
    const messages = yield* Messages
    yield* messages.add(
      { organizationId, conversationId, direction: "inbound", type: "text", content: { text: "Please book a visit." } },
      Date.now()
    )
    return Effect.map(
      messages.list(organizationId, { conversationId, direction: "outbound" }, { page: 1, limit: 20 }),
      ({ data }) => data.map(({ content }) => String(content.text))
    )
  }).pipe(Effect.provide(stores))
  return { env, tool, answers: Effect.provide(answers, stores) }
})

const frozenAt = (step: Step, what: string, asked: number) =>
  it.live(
    what,
    () =>
      Effect.gen(function* () {
        const { env, tool, answers } = yield* desk
        const child = yield* agentProcess({ ...env, FREEZE_AT: step })
        yield* eventually("the step is reached", async () => (child.said("frozen") ? true : undefined), startWithin)
        yield* Effect.promise(child.kill)
        const next = yield* agentProcess(env)
        yield* eventually("the next process runs", async () => (next.said("running") ? true : undefined), startWithin)
        yield* eventually(
          "an answer",
          Effect.map(answers, (all) => all.length > 0),
          startWithin
        )
        yield* Effect.sleep("2 seconds")
        assert.lengthOf(yield* answers, 1)
        assert.lengthOf(tool.state.asked, asked)
      }),
    240_000
  )

describe("a process with text agents that is killed", () => {
  frozenAt("begun", "when the turn has begun", 1)
  frozenAt(
    "tool begun",
    "when it is noted that a tool begins: the tool is not run, since nobody knows whether it ran",
    0
  )
  frozenAt("tool ended", "when the tool has answered: its result is found again", 1)
  frozenAt("thought", "between the answer and storing it", 1)
  frozenAt("settled", "when the answer was stored", 1)
})
