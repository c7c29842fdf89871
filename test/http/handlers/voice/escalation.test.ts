/** The webhooks around a transfer, signed as the provider signs them, over the real stores and a simulated REST interface of the provider. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { ApiKeys } from "../../../../src/domain/people/access/ApiKey.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { AppCallbacks } from "../../../../src/domain/voice/engine/EnginePorts.ts"
import type { EscalationPlan } from "../../../../src/domain/voice/engine/EscalationPlan.ts"
import * as HttpAppCallbacks from "../../../../src/integrations/engine/HttpAppCallbacks.ts"
import { answered, type Desk, desk, destination, ended, said } from "../../../support/escalation.ts"
import { testStores } from "../../../support/tenants.ts"
import { post as postSigned } from "../../telephone.ts"
import { makeWorld, publicBaseUrl, secret, type World } from "../../world.ts"

const actionOf = (twiml: string, attribute = "action") =>
  new RegExp(`${attribute}="([^"]+)"`).exec(twiml)?.[1].replace(publicBaseUrl, "") ?? ""

const office = Effect.gen(function* () {
  const stores = yield* Layer.build(testStores)
  const world = yield* makeWorld({ stores: Layer.succeedContext(stores), humans: { announceEverySeconds: 7 } })
  const at = yield* desk().pipe(Effect.provide(stores))
  const calls = yield* Calls.pipe(Effect.provide(stores))
  const keys = yield* ApiKeys.pipe(Effect.provide(stores))
  const { secret: key } = yield* keys.create({ organizationId: at.organizationId, name: "k", scopes: ["voice:read"] })
  const engine = yield* AppCallbacks.pipe(Effect.provide(HttpAppCallbacks.layer({ baseUrl: world.base, secret })))

  /** A call whose agent has asked for a human. */
  const escalatedWith = Effect.fnUntraced(function* (args: string) {
    const call = yield* answered(at, new Date().toISOString()).pipe(Effect.provide(stores))
    const ask = engine.runTool({
      organizationId: at.organizationId,
      agentId: at.agent.id,
      callId: call.id,
      toolCallId: "tool_1",
      name: "escalate_to_human",
      arguments: args
    })
    const response = yield* ask
    return { call, ask, response, plan: response.escalation ?? ({ outcome: "nobody" } satisfies EscalationPlan) }
  })
  const escalated = escalatedWith('{"reason":"asked"}')
  return { stores, world, at, calls, key, engine, escalated, escalatedWith }
})

const post = (world: World, { connection }: Desk, path: string, form: Record<string, string>, token?: string) =>
  Effect.promise(() => {
    const fields = { AccountSid: connection.accountSid, CallStatus: "in-progress", ...form }
    return postSigned(world, path, fields, token ?? connection.authToken)
  })

const scenario = (
  name: string,
  run: (here: Effect.Success<typeof office>) => Effect.Effect<void, unknown, Scope.Scope>
) => it.live(name, () => Effect.flatMap(office, run).pipe(Effect.scoped))

describe("the webhooks of a transfer", () => {
  scenario("return the caller to the agent with the conversation so far when the human does not answer", (here) =>
    Effect.gen(function* () {
      const { world, at } = here
      const { call, ask, response, plan } = yield* here.escalated
      assert.deepStrictEqual(yield* ask, response)
      const twiml = plan.outcome === "transfer" ? plan.twiml : ""
      assert.include(twiml, `<Number>${destination}</Number>`)
      yield* here.engine.deliver(said(at, call.id, 1, "Hello. You may be speaking with an AI assistant on this call."))
      yield* here.engine.deliver(said(at, call.id, 2, "Give me a human"))
      yield* here.engine.deliver(ended(at, call.id, "transferred"))
      const form = { CallSid: call.callSid, DialCallStatus: "no-answer" }
      const back = yield* post(world, at, actionOf(twiml), form)
      assert.strictEqual(back.status, 200)
      assert.include(back.text, `<Parameter name="callId" value="${call.id}"/>`)
      assert.deepInclude(world.engine.setups[0].resume, { outcome: "no_answer", disclosed: true, nextSequence: 3 })
      assert.deepStrictEqual(yield* post(world, at, actionOf(twiml), form), back)
      const record = yield* Effect.promise(() => world.call("GET", `/api/calls/${call.id}`, undefined, here.key))
      assert.deepInclude(record.body.transfer, { destination, outcome: "no_answer" })
      assert.strictEqual(record.body.status, "in_progress")

      // Later the engine is full, or the agent is removed.
      world.engine.full = true
      const full = yield* post(world, at, actionOf(twiml), form)
      assert.match(full.text, /<Say language="en-US">.*get back to you.*<\/Say><Hangup\/>/)
    })
  )

  scenario("announce the caller's place in line, remove the caller from it, and hang up after the talk", (here) =>
    Effect.gen(function* () {
      const { world, at } = here
      const [first, second] = [yield* here.escalated, yield* here.escalated]
      assert.deepInclude(second.plan, { outcome: "queue", position: 1 })
      assert.include(second.response.result, "waits in line at place 1")
      const line = second.plan.outcome === "queue" ? second.plan.twiml : ""
      const form = { CallSid: second.call.callSid }
      const waiting = yield* post(world, at, actionOf(line, "waitUrl"), form)
      assert.include(
        waiting.text,
        '<Say language="en-US">All my colleagues are busy. You are number 1 in line. Please hold.</Say><Pause length="7"/>' +
          `<Redirect method="POST">${publicBaseUrl}${actionOf(line, "waitUrl")}</Redirect>`
      )
      const queue = () =>
        Effect.promise(() => world.call("GET", `/api/voice-agents/${at.agent.id}/queue`, undefined, here.key))
      const before = (yield* queue()).body
      assert.deepInclude(before, { destination })
      assert.deepInclude(before.dialing, { callId: first.call.id })
      assert.deepInclude((before.waiting as ReadonlyArray<object>)[0], { callId: second.call.id, position: 1 })

      // The human hangs up. The provider's REST interface is unreachable, so the line itself releases the next caller.
      const dialed = first.plan.outcome === "transfer" ? first.plan.twiml : ""
      const over = { CallSid: first.call.callSid, DialCallStatus: "completed", CallStatus: "completed" }
      assert.include((yield* post(world, at, actionOf(dialed), over)).text, "<Response><Hangup/></Response>")
      assert.include((yield* post(world, at, actionOf(line, "waitUrl"), form)).text, "<Response><Leave/></Response>")
      const left = yield* post(world, at, actionOf(line), { ...form, QueueResult: "leave", QueueTime: "9" })
      assert.include(left.text, `<Number>${destination}</Number>`)
      const redirected = yield* post(world, at, actionOf(line), { ...form, QueueResult: "redirected" })
      assert.match(redirected.text, /<Response\/>$/)
      yield* post(world, at, actionOf(left.text), { ...form, DialCallStatus: "completed" })
      assert.deepStrictEqual((yield* queue()).body, { destination, dialing: null, waiting: [] })
      const record = yield* here.calls.find(at.organizationId, second.call.id)
      assert.deepInclude(record?.transfer, { outcome: "transferred" })
      assert.deepInclude(record, { status: "completed", endReason: "transferred" })
    })
  )

  for (const args of ["{}", '{"reason":null}', '{"reason":"ask', ""])
    scenario(`are also expected when the model asked for a human with the arguments "${args}"`, (here) =>
      Effect.gen(function* () {
        const { response, plan } = yield* here.escalatedWith(args)
        assert.deepInclude(response, { outcome: "ok", result: "The call is being transferred to a human colleague." })
        assert.include(plan.outcome === "transfer" ? plan.twiml : "", `<Number>${destination}</Number>`)
      })
    )

  scenario(
    "are refused without a valid signature, and found only for the account and the call they belong to",
    (here) =>
      Effect.gen(function* () {
        const { world, at } = here
        const { call, plan } = yield* here.escalated
        const other = yield* here.escalated
        const stranger = yield* desk().pipe(Effect.provide(here.stores))
        const path = actionOf(plan.outcome === "transfer" ? plan.twiml : "")
        const form = { CallSid: call.callSid, DialCallStatus: "completed" }
        assert.strictEqual((yield* post(world, at, path, form, "another token")).status, 403)
        for (const [from, at_, fields] of [
          [stranger, path, form],
          [at, path, { ...form, CallSid: other.call.callSid }],
          [at, path.replace(/trf_\w+/, "trf_unknown"), form]
        ] as const)
          assert.strictEqual((yield* post(world, from, at_, fields)).status, 404)
        assert.strictEqual((yield* post(world, at, path.replace(/\?.*/, ""), form)).status, 400)
        const record = yield* here.calls.find(at.organizationId, call.id)
        assert.deepInclude(record?.transfer, { outcome: "dialing" })
        const foreign = yield* Effect.promise(() =>
          world.call("GET", "/api/voice-agents/agt_x/queue", undefined, here.key)
        )
        assert.strictEqual(foreign.status, 404)
      })
  )
})
