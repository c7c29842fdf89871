/** Text agents that are tried, and evaluations that are played with them: on a real database, with a model and a content filter on loopback. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { credulous } from "../../../../simulators/language-model/Credulous.ts"
import { makeProcessRun } from "../../../../src/actors/messaging/rehearsal/EvaluationWorker.ts"
import { BuiltinTools } from "../../../../src/domain/ai/tools/BuiltinTools.ts"
import { McpClient } from "../../../../src/domain/ai/tools/McpClient.ts"
import { chatBuiltins } from "../../../../src/domain/messaging/agents/ChatTools.ts"
import { EvaluationRuns } from "../../../../src/domain/messaging/rehearsal/EvaluationRun.ts"
import { TurnRehearsal } from "../../../../src/domain/messaging/rehearsal/TurnRehearsal.ts"
import * as ToolHandlers from "../../../../src/integrations/tools/ToolHandlers.ts"
import { makeAccessWorld } from "../../../support/access.ts"
import { type ModelOptions, modelsOf, type Script, startModels, startTool } from "../../../support/textAgents.ts"

const agents = "/api/ai-agents"
const evaluations = "/api/evaluations"
const from = (...texts: ReadonlyArray<string>) => texts.map((text) => ({ from: "contact", text }))

/** A tool at this address that finds orders. */
const findOrder = (url: string) => ({
  name: "find_order",
  description: "Finds an order.",
  parameters: { type: "object", properties: { orderNumber: { type: "string" } }, required: ["orderNumber"] },
  handler: { type: "http", url, method: "POST", headers: { authorization: "Bearer secret" } }
})

/** An owner with a text agent, and what plays runs when it is told to. */
const shop = (options: ModelOptions, settings: object = {}) =>
  Effect.gen(function* () {
    const models = yield* startModels(options)
    const world = yield* makeAccessWorld({ models: modelsOf(models), builtinTools: chatBuiltins })
    const owner = yield* world.as("OWNER")
    const { body: agent } = yield* owner.ask("POST", agents, { body: { name: "Shop", ...settings } })
    const tools = ToolHandlers.layer({ allowPrivateNetwork: true }).pipe(
      Layer.provide([BuiltinTools.layer(chatBuiltins), Layer.mock(McpClient, { refusal: () => undefined })])
    )
    const rehearsal = TurnRehearsal.layer.pipe(Layer.provide([modelsOf(models), tools]))
    const tryOut = (body: object) =>
      Effect.map(owner.ask("POST", `${agents}/${agent.id}/try`, { body }), ({ status, body: answer }) => ({
        status,
        ...answer
      }))
    /** Plays the runs that are due; `later` milliseconds from now. */
    const play = (later = 0) =>
      Effect.gen(function* () {
        const process = yield* makeProcessRun
        const runs = yield* EvaluationRuns
        const due = yield* runs.claim((yield* Clock.currentTimeMillis) + later, 60_000, 100)
        const own = due.filter(({ organizationId }) => organizationId === world.organizationId)
        yield* Effect.forEach(own, process, { discard: true })
        return own.length
      }).pipe(Effect.provide(Layer.merge(rehearsal, modelsOf(models))), world.provide)
    return { ...world, owner, agent, tryOut, play, model: models.model }
  })

const textsIn = ({ messages }: { readonly messages: ReadonlyArray<{ readonly content: { readonly text: string } }> }) =>
  messages.map(({ content }) => content.text)

describe("a text agent that is tried", () => {
  it.live("answers as it would in a conversation, with changes that are not saved, and nothing is stored or sent", () =>
    Effect.gen(function* () {
      const script = [{ when: /hours/i, reply: "We are open from nine to six.\n\nOn Sundays we are closed." }]
      const { tryOut, owner, agent } = yield* shop({ script })
      const first = yield* tryOut({ messages: from("Hi", "What are your hours?") })
      assert.strictEqual(first.status, 200)
      assert.strictEqual(first.outcome, "answered")
      assert.deepStrictEqual(textsIn(first), [
        "I am an AI assistant.\n\nWe are open from nine to six.\n\nOn Sundays we are closed."
      ])
      const messages = [...from("Hi"), { from: "agent", text: "Hello." }, ...from("What are your hours?")]
      const again = yield* tryOut({ messages, draft: { disclosureText: "A robot writes." } })
      assert.notInclude(JSON.stringify(again), "robot")
      const fresh = yield* tryOut({
        messages: from("What are your hours?"),
        draft: { disclosureText: "A robot writes." }
      })
      assert.match(textsIn(fresh)[0], /^A robot writes\./)
      assert.strictEqual((yield* owner.ask("GET", "/api/messaging-api/chats")).body.total, 0)
      assert.strictEqual(
        (yield* owner.ask("GET", `${agents}/${agent.id}`)).body.disclosureText,
        "I am an AI assistant."
      )
      const { body: usage } = yield* owner.ask("GET", "/api/ai-usage?groupBy=agent")
      assert.include(JSON.stringify(usage), String(agent.id))
    })
  )

  it.live("runs its tools only when it is told to, and takes the answers that are given for them", () =>
    Effect.gen(function* () {
      const tool = yield* startTool
      const call = { name: "find_order", arguments: { orderNumber: "2041" } }
      const script = [{ when: /order/i, tool: call, reply: (result: string) => `It says: ${result}` }]
      const { tryOut } = yield* shop({ script }, { tools: [findOrder(tool.url)] })
      const messages = from("Where is order 2041?")
      const given = yield* tryOut({ messages, toolAnswers: { find_order: { state: "ready" } } })
      assert.include(textsIn(given)[0], '{"state":"ready"}')
      assert.deepStrictEqual(given.tools, [
        { name: "find_order", arguments: '{"orderNumber":"2041"}', result: '{"state":"ready"}' }
      ])
      const without = yield* tryOut({ messages, runTools: false })
      assert.match(without.tools[0].result, /tools do not run here/)
      assert.lengthOf(tool.state.asked, 0)
      tool.state.answer = "on its way"
      const real = yield* tryOut({ messages })
      assert.include(textsIn(real)[0], "on its way")
      assert.lengthOf(tool.state.asked, 1)
    })
  )

  it.live("hands over with a note when the contact wants a human, and when the filter flags something", () =>
    Effect.gen(function* () {
      const { tryOut } = yield* shop({ script: [], flagWords: ["bomb"] })
      const human = yield* tryOut({ messages: from("I want to talk to a human"), contact: { name: "Asha" } })
      assert.strictEqual(human.outcome, "handed_over")
      assert.strictEqual(human.reason, "The contact asked for a human.")
      assert.match(String(human.note), /The contact asked for a human/)
      const flagged = yield* tryOut({ messages: from("How is a bomb made?") })
      assert.strictEqual(flagged.outcome, "handed_over")
      assert.match(String(flagged.reason), /content filter flagged the conversation/)
      const draft = yield* tryOut({ messages: from("Hello"), draft: { systemPrompt: "Tell how to make a bomb." } })
      assert.match(String(draft.reason), /flagged the agent's instructions/)
    })
  )

  it.live("is refused to who may not change agents, and with what is not right", () =>
    Effect.gen(function* () {
      const { as, agent, tryOut, otherOrganization } = yield* shop({ script: [] })
      const path = `${agents}/${agent.id}/try`
      const helper = yield* as("AGENT")
      assert.strictEqual((yield* helper.ask("POST", path, { body: { messages: from("Hi") } })).status, 403)
      const stranger = yield* as("OWNER", yield* otherOrganization)
      assert.strictEqual((yield* stranger.ask("POST", path, { body: { messages: from("Hi") } })).status, 404)
      const last = yield* tryOut({ messages: [...from("Hi"), { from: "agent", text: "Hello." }] })
      assert.match(last.error, /must end with a message of the contact/)
      const unknown = yield* tryOut({ messages: from("Hi"), draft: { voiceAgentId: "agt_01KAJ31BE1AV5P3W4S7H9J0K1M" } })
      assert.match(unknown.error, /there is no voice agent/)
    })
  )
})

const ready = { tools: [{ name: "find_order" }], says: "The order is ready" }
const orders = {
  name: "Orders",
  tools: { find_order: { state: "ready" } },
  conversations: [
    { name: "An order", turns: [{ contact: ["Hi", "Where is order 2041?"], expect: ready }] },
    {
      name: "A person steps in",
      turns: [
        { human: "I am Ben, how can I help?" },
        { contact: "Thanks", expect: { outcome: "silent" } },
        { handBack: true, expect: { outcome: "answered" } },
        { resolve: true },
        { contact: "I want a human", expect: { outcome: "handed_over" } }
      ]
    },
    {
      name: "What it cannot do",
      turns: [{ contact: "Where is order 7?", expect: { contains: "bicycles", tools: [] } }]
    }
  ]
}

describe("an evaluation", () => {
  it.live("is played with an agent in the background, and says of each conversation what was not as expected", () =>
    Effect.gen(function* () {
      const tool = yield* startTool
      const { owner, agent, play } = yield* shop({ report: credulous }, { tools: [findOrder(tool.url)] })
      const { status, body: made } = yield* owner.ask("POST", evaluations, { body: orders })
      assert.strictEqual(status, 201, JSON.stringify(made))
      assert.strictEqual(made.size, 3)
      const root = `${evaluations}/${made.id}`
      const { body: run } = yield* owner.ask("POST", `${root}/runs`, { body: { agentId: agent.id } })
      assert.deepInclude(run, { state: "queued", total: 3, done: 0, draft: false, agentName: "Shop" })
      assert.strictEqual(yield* play(), 1)
      const { body: result } = yield* owner.ask("GET", `${root}/runs/${run.id}`)
      assert.deepInclude(result, { state: "done", done: 3, passed: 2, problem: null })
      const [order, person, wrong] = result.conversations
      assert.deepStrictEqual(order.steps[0].tools, [
        { name: "find_order", arguments: '{"orderNumber":"2041"}', result: '{"state":"ready"}' }
      ])
      assert.deepStrictEqual(
        person.steps.map(({ outcome }: { outcome: string }) => outcome),
        ["silent", "silent", "answered", "silent", "handed_over"]
      )
      assert.deepStrictEqual(wrong.steps[0].problems, ['It did not say "bicycles".', "It called find_order."])
      assert.lengthOf(tool.state.asked, 0)
      assert.strictEqual((yield* owner.ask("GET", "/api/messaging-api/chats")).body.total, 0)
      const { body: list } = yield* owner.ask("GET", `${root}/runs`)
      assert.strictEqual(list.total, 1)
      assert.strictEqual((yield* owner.ask("DELETE", root)).status, 200)
      assert.strictEqual((yield* owner.ask("GET", `${root}/runs/${run.id}`)).status, 404)
    })
  )

  it.live("is played with a draft, keeps what it was played with, and is played again when its worker has gone", () =>
    Effect.gen(function* () {
      const script: Script = [{ when: /./, compose: ({ messages }) => String(messages[0]?.content) }]
      const { owner, agent, play, provide, organizationId } = yield* shop({ script }, { systemPrompt: "Say one." })
      const conversations = [{ name: "A word", turns: [{ contact: "Which word?", expect: { contains: "two" } }] }]
      const { body: made } = yield* owner.ask("POST", evaluations, { body: { name: "Words", conversations } })
      const root = `${evaluations}/${made.id}/runs`
      const body = { agentId: agent.id, draft: { systemPrompt: "Say two." } }
      const { body: run } = yield* owner.ask("POST", root, { body })
      yield* owner.ask("PUT", `${evaluations}/${made.id}`, {
        body: { conversations: [{ name: "Another", turns: [{ contact: "Hello" }] }] }
      })
      // A worker that claims it and ends.
      const runs = yield* provide(EvaluationRuns)
      const [lost] = (yield* runs.claim(Date.now(), 1_000, 100)).filter((job) => job.organizationId === organizationId)
      assert.strictEqual(lost.id, run.id)
      assert.strictEqual(yield* play(), 0)
      assert.strictEqual(yield* play(2_000), 1)
      // What the lost one would still tell is not taken.
      assert.isFalse(yield* runs.hold(lost, Date.now(), { done: 0, passed: 0 }))
      const { body: result } = yield* owner.ask("GET", `${root}/${run.id}`)
      assert.deepInclude(result, { state: "done", draft: true, passed: 1 })
      assert.strictEqual(result.conversations[0].name, "A word")
      assert.strictEqual((yield* owner.ask("GET", `${agents}/${agent.id}`)).body.systemPrompt, "Say one.")
    })
  )

  it.live("fails with a sentence when the model that judges does not answer, after it was tried again", () =>
    Effect.gen(function* () {
      const { owner, agent, play, model } = yield* shop({ report: credulous })
      const conversations = [{ name: "A claim", turns: [{ contact: "Hi", expect: { says: "It greets" } }] }]
      const { body: made } = yield* owner.ask("POST", evaluations, { body: { name: "Claims", conversations } })
      const root = `${evaluations}/${made.id}/runs`
      const { body: run } = yield* owner.ask("POST", root, { body: { agentId: agent.id } })
      yield* Effect.promise(() => model.close())
      for (const later of [0, 60_000, 120_000]) assert.strictEqual(yield* play(later), 1)
      const { body: result } = yield* owner.ask("GET", `${root}/${run.id}`)
      assert.strictEqual(result.state, "failed")
      assert.match(result.problem, /did not answer/)
    })
  )

  it.live(
    "is refused with turns that say nothing or two things, with an agent that does not exist, and when too many wait",
    () =>
      Effect.gen(function* () {
        const { owner, agent, as } = yield* shop({ script: [] })
        const bad = (turns: ReadonlyArray<object>) =>
          Effect.map(
            owner.ask("POST", evaluations, { body: { name: "Bad", conversations: [{ name: "One", turns }] } }),
            ({ status, body }) => `${status} ${body.error}`
          )
        assert.match(yield* bad([{ expect: { outcome: "silent" } }]), /^400 .*exactly one of/)
        assert.match(yield* bad([{ contact: "Hi", human: "Hello" }]), /^400 .*exactly one of/)
        const { body: made } = yield* owner.ask("POST", evaluations, { body: orders })
        const root = `${evaluations}/${made.id}/runs`
        const nobody = yield* owner.ask("POST", root, { body: { agentId: "bot_01KAJ31QS8BW6Q4X5T8J0K1M2N" } })
        assert.strictEqual(nobody.status, 400)
        const helper = yield* as("AGENT")
        assert.strictEqual((yield* helper.ask("GET", root)).status, 200)
        assert.strictEqual((yield* helper.ask("POST", root, { body: { agentId: agent.id } })).status, 403)
        for (let n = 0; n < 10; n++)
          assert.strictEqual((yield* owner.ask("POST", root, { body: { agentId: agent.id } })).status, 201)
        assert.strictEqual((yield* owner.ask("POST", root, { body: { agentId: agent.id } })).status, 409)
      })
  )
})
