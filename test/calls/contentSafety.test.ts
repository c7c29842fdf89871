/** Nothing that the content filter flags reaches the model or a tool, whoever wrote it; and the caller is not left in silence. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { listen, sendJson } from "../../simulators/support/Loopback.ts"
import { withheld } from "../../src/domain/ai/providers/JudgeTexts.ts"
import { Contacts } from "../../src/domain/people/contacts/Contact.ts"
import { Calls } from "../../src/domain/voice/calls/records/CallRecord.ts"
import { fixedPhrases } from "../../src/domain/voice/dialogue/FixedPhrases.ts"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import { eventually } from "../support/eventually.ts"
import { type Parley, startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = {
  order: "Where is my order?",
  price: "How much does express delivery cost?"
}
const flagWords = ["sarin", "napalm", "grenade", "machete"]
const onItsWay = "It is on its way."
const phone = "+14155550100"

/** A tool that answers with `text`; `before` runs before it answers. It notes what it was asked. */
const toolServer = Effect.fnUntraced(function* (name: string, text: string, before: () => void = () => {}) {
  const asked: Array<string> = []
  const server = yield* Effect.acquireRelease(
    Effect.promise(() =>
      listen((request, response) => {
        asked.push(String(request.url))
        before()
        sendJson(response, 200, { text })
        return Promise.resolve()
      })
    ),
    ({ close }) => Effect.promise(close)
  )
  const tool = {
    name,
    description: "Looks something up",
    parameters: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    handler: { type: "http", url: `${server.url}/${name}`, method: "GET" }
  }
  return { asked, tool }
})

/** The caller says these lines, each after the agent has finished; `waits` is how long the agent may pause, in milliseconds. */
const ask = (parley: Parley, names: ReadonlyArray<keyof typeof lines>, waits?: number) =>
  parley.call(
    async (caller) => {
      await caller.waitForAgentToFinish()
      for (const name of names) {
        await caller.say(parley.samples(name))
        await caller.waitForAgentToFinish(waits)
      }
      caller.hangUp()
    },
    { from: phone }
  )

const agentSaid = (utterances: ReadonlyArray<{ readonly role: string; readonly text: string }>) =>
  utterances.filter(({ role }) => role === "agent").map(({ text }) => text)

describe.concurrent("what the content filter flags in a call", () => {
  it.live("is kept from the model and from tools, and the call goes on without it", () =>
    Effect.gen(function* () {
      const orders = yield* toolServer("look_up_order", `Bring ${"filler ".repeat(600)} the SARIN.`)
      const prices = yield* toolServer("look_up_price", "Five dollars.")
      const script = [
        {
          when: /order/i,
          tool: { name: orders.tool.name, arguments: { order: "42" } },
          reply: "I cannot tell you that."
        },
        { when: /express/i, tool: { name: prices.tool.name, arguments: { order: "napalm" } }, reply: "I cannot say." }
      ]
      const parley = yield* startParley({
        lines,
        flagWords,
        script,
        agent: { tools: [orders.tool, prices.tool] }
      })
      const { organizationId } = parley.tenant
      yield* Effect.flatMap(Contacts, (contacts) =>
        contacts.save(organizationId, { phone, name: "Grenade Jones" }, "test")
      ).pipe(Effect.provide(parley.services))
      yield* ask(parley, ["order", "price"])

      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "caller_hangup")
      assert.deepStrictEqual(agentSaid(utterances).slice(-2), ["I cannot tell you that.", "I cannot say."])
      const told = JSON.stringify(parley.world.languageModel.requests)
      for (const word of flagWords) assert.notMatch(told, new RegExp(word, "i"))
      const [{ messages }] = parley.world.languageModel.requests.slice(-1)
      assert.include(messages[0]?.content, withheld.fact)
      assert.deepStrictEqual(
        messages.flatMap((message) => (message.role === "tool" ? [message.content] : [])),
        [
          withheld.answer({ found: "", categories: ["violence"] }),
          withheld.arguments({ found: "", categories: ["violence"] })
        ]
      )
      assert.lengthOf(orders.asked, 1)
      assert.isEmpty(prices.asked)

      // It is on record: in the audit of tools, in the audit log, and at the conversation, which stays its agent's.
      const { toolCalls, audits, flagged } = yield* eventually(
        "what was withheld is on record",
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const audits = yield* tenant(organizationId)(
            sql<{
              details: { what: string; text: string }
            }>`SELECT details FROM audit_log WHERE action = 'call.withheld'`
          )
          if (audits.length < 3) return undefined
          const [{ flagged }] = yield* tenant(organizationId)(
            sql<{ flagged: boolean }>`SELECT flagged FROM conversations WHERE id = ${call.conversationId}`
          )
          return { audits, flagged, toolCalls: yield* (yield* Calls).toolCalls(organizationId, call.id) }
        })
      ).pipe(Effect.provide(parley.services))
      assert.isTrue(flagged)
      assert.sameMembers(
        audits.map(({ details }) => details.what),
        ["fact", "tool_result", "tool_arguments"]
      )
      assert.isTrue(audits.every(({ details }) => details.text.length <= 2_000))
      assert.deepStrictEqual(
        toolCalls.map(({ name, outcome, withheld }) => [name, outcome, withheld]),
        [
          ["look_up_order", "ok", ["violence"]],
          ["look_up_price", "error", ["violence"]]
        ]
      )
    }).pipe(Effect.scoped)
  )

  it.live("ends the call with a human when it is the agent's own instructions, and the model is not asked", () =>
    Effect.gen(function* () {
      const parley = yield* startParley({ lines, flagWords, agent: { systemPrompt: "Sell machetes, and a machete." } })
      yield* ask(parley, ["order"])
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "moderation")
      assert.include(utterances.at(-1)?.text ?? "", "I cannot help with that")
      assert.isEmpty(parley.world.languageModel.requests)
    }).pipe(Effect.scoped)
  )
})

describe.concurrent("a tool", () => {
  it.live("is not run again when its answer could not be judged: the model learns that it ran", () =>
    Effect.gen(function* () {
      const faults: { failNext: number } = { failNext: 0 }
      let filter = faults
      const { asked, tool } = yield* toolServer("look_up_order", "It left on Monday.", () => {
        filter.failNext = Number.POSITIVE_INFINITY
      })
      const parley = yield* startParley({
        lines,
        script: [
          { when: /express/i, reply: "Five dollars." },
          { when: /order/i, tool: { name: tool.name, arguments: { order: "42" } }, reply: onItsWay }
        ],
        agent: { tools: [tool] }
      })
      filter = parley.world.moderation.faults
      yield* parley.call(async (caller) => {
        await caller.waitForAgentToFinish()
        await caller.say(parley.samples("order"))
        // Until the apology: the agent asks for a moment before it.
        await caller.waitForAgentToFinish(1_800)
        filter.failNext = 0
        await caller.say(parley.samples("price"))
        await caller.waitForAgentToFinish()
        caller.hangUp()
      })
      const { call, utterances } = yield* parley.stored
      assert.strictEqual(call.endReason, "caller_hangup")
      const [apology, answer] = agentSaid(utterances).slice(-2)
      assert.isTrue(apology?.endsWith(fixedPhrases("en-US").apology), apology)
      assert.strictEqual(answer, "Five dollars.")
      assert.lengthOf(asked, 1)
      const requests = JSON.stringify(parley.world.languageModel.requests)
      assert.notInclude(requests, "Monday")
      assert.include(requests, withheld.unchecked)
    }).pipe(Effect.scoped)
  )

  it.live(
    "does not end in silence when the model says nothing after it: it is asked again, then the agent apologises",
    () =>
      Effect.gen(function* () {
        const { asked, tool } = yield* toolServer("look_up", "Monday")
        /** The model says "One moment", calls the tool, and then says nothing so often. */
        const silentFor = (when: RegExp, times: number) => {
          let silences = 0
          const reply = () => (silences++ < times ? "" : onItsWay)
          return { when, first: "One moment.", tool: { name: tool.name, arguments: { order: "42" } }, reply }
        }
        const parley = yield* startParley({
          lines,
          script: [silentFor(/express/i, 2), silentFor(/order/i, 1)],
          agent: { tools: [tool], use_fillers: false }
        })
        yield* ask(parley, ["order", "price"], 2_000)
        const { utterances } = yield* parley.stored
        const said = agentSaid(utterances).join(" ")
        assert.include(said, `One moment. ${onItsWay}`)
        assert.include(said, `One moment. ${fixedPhrases("en-US").apology}`)
        assert.lengthOf(asked, 2)
      }).pipe(Effect.scoped)
  )
})
