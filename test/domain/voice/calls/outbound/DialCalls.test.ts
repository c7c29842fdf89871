import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Organizations } from "../../../../../src/domain/people/organizations/Organization.ts"
import { VoiceAgents } from "../../../../../src/domain/voice/agents/VoiceAgent.ts"
import { Placements } from "../../../../../src/domain/voice/calls/outbound/Placement.ts"
import { RingingCalls } from "../../../../../src/domain/voice/calls/outbound/RingingCalls.ts"
import { Calls } from "../../../../../src/domain/voice/calls/records/CallRecord.ts"
import { PhoneNumbers } from "../../../../../src/domain/voice/telephony/PhoneNumber.ts"
import { TelephonyError } from "../../../../../src/domain/voice/telephony/Telephony.ts"
import { eventually } from "../../../../support/eventually.ts"
import { caller, dialer, FakeProviderCalls, requests, webhooks } from "../../../../support/outbound.ts"
import { agentOf, testStores } from "../../../../support/tenants.ts"

const setUp = Effect.gen(function* () {
  const provider = new FakeProviderCalls()
  const { organizationId, agent, contact } = yield* caller()
  const request = yield* requests()
  const calls = yield* Calls
  const ask = request(organizationId, agent.id, { to: contact.phone, contactId: contact.id })
  const find = (id: string) => Effect.map(calls.find(organizationId, id), (call) => call ?? assert.fail("no such call"))
  /** A process that dies in the middle of its work: its fiber never ends and does nothing. */
  const die = (options: Parameters<typeof dialer>[1]) =>
    Effect.gen(function* () {
      const dying = yield* dialer(provider, options)
      const orders = provider.orders.length
      yield* Effect.forkDetach(dying.drain(organizationId))
      // Waits until the process freezes: the call has left the queue, and the provider was asked if the process got that far.
      const placements = yield* Placements
      yield* eventually(
        "it freezes",
        Effect.gen(function* () {
          const taken = (yield* placements.unsure(organizationId, Number.MAX_SAFE_INTEGER / 10)).length > 0
          return taken && (options?.freezes === "before the request" || provider.orders.length > orders)
        })
      )
    })
  /** The next process, some time later. */
  const restart = Effect.gen(function* () {
    yield* TestClock.adjust("25 seconds")
    const alive = yield* dialer(provider)
    yield* alive.drain(organizationId)
  })
  return { provider, organizationId, ask, find, die, restart }
})

layer(testStores)("placing calls", (it) => {
  it.effect("asks the provider for the call, with our webhooks and the agent's number", () =>
    Effect.gen(function* () {
      const { provider, organizationId, ask, find } = yield* setUp
      const call = yield* ask
      assert.deepInclude(call, { status: "queued", callSid: null, direction: "outbound" })
      yield* (yield* dialer(provider)).drain(organizationId)
      assert.deepStrictEqual(provider.orders, [
        {
          from: call.from,
          to: call.to,
          answerUrl: `${webhooks}/outbound/${call.id}`,
          statusUrl: `${webhooks}/status?call=${call.id}`,
          ringSeconds: 30,
          machineDetection: false
        }
      ])
      assert.deepInclude(yield* find(call.id), { status: "queued", callSid: provider.calls[0].callSid })
    })
  )

  it.effect("remembers calls that may ring, even when that is uncertain, and not calls that were never placed", () =>
    Effect.gen(function* () {
      const { provider, organizationId, ask } = yield* setUp
      const ringing = yield* RingingCalls
      const refusal = (status: number) => new TelephonyError({ status, code: null, message: "no" })
      const outcomes = [
        ["take", 1],
        ["lose the request", 1],
        [refusal(400), 0],
        [refusal(503), 1],
        // The call waits for its turn once more, and is placed.
        [refusal(429), 1]
      ] as const
      for (const [fate, rings] of outcomes) {
        const before = yield* ringing.count
        yield* ask
        provider.fates.push(fate)
        const fiber = yield* Effect.forkChild((yield* dialer(provider, { ringing })).drain(organizationId))
        yield* eventually(
          "nothing waits",
          Effect.map(TestClock.adjust("100 millis"), () => fiber.pollUnsafe() !== undefined)
        )
        assert.strictEqual((yield* ringing.count) - before, rings, String(fate))
      }
    }).pipe(Effect.provide(RingingCalls.layer))
  )

  for (const freezes of ["before the request", "before the id is stored"] as const)
    it.effect(
      `by a process that is killed ${freezes}, the call is placed at most once and its record tells the truth`,
      () =>
        Effect.gen(function* () {
          const { provider, ask, find, die, restart } = yield* setUp
          const call = yield* ask
          yield* die({ freezes })
          yield* restart
          yield* restart
          if (freezes === "before the request") {
            assert.isEmpty(provider.orders)
            assert.deepInclude(yield* find(call.id), { status: "failed", endReason: null, callSid: null })
            assert.match((yield* find(call.id)).failureReason ?? "", /was not placed again/)
          } else {
            assert.lengthOf(provider.orders, 1)
            assert.deepInclude(yield* find(call.id), { status: "queued", callSid: provider.calls[0].callSid })
          }
        })
    )

  it.effect(
    "never places a call twice when it is killed during the request, whether the provider took the call or not",
    () =>
      Effect.gen(function* () {
        for (const taken of [true, false]) {
          const { provider, ask, find, die, restart } = yield* setUp
          const call = yield* ask
          provider.fates.push("vanish")
          if (taken) yield* provider.has(call)
          yield* die({})
          yield* restart
          assert.lengthOf(provider.orders, 1)
          assert.strictEqual((yield* find(call.id)).status, taken ? "queued" : "failed")
        }
      })
  )

  it.effect(
    "finds its own call at the provider when the answer got lost, and not another call to the same number",
    () =>
      Effect.gen(function* () {
        const { provider, organizationId, ask, find, restart } = yield* setUp
        const earlier = yield* ask
        yield* (yield* dialer(provider)).drain(organizationId)
        yield* TestClock.adjust("2 seconds")
        const call = yield* ask
        provider.fates.push("lose the answer")
        yield* (yield* dialer(provider)).drain(organizationId)
        assert.isNull((yield* find(call.id)).callSid)
        yield* restart
        assert.lengthOf(provider.orders, 2)
        assert.strictEqual((yield* find(earlier.id)).callSid, provider.calls[0].callSid)
        assert.strictEqual((yield* find(call.id)).callSid, provider.calls[1].callSid)
      })
  )

  it.effect("does not judge a lost call before the provider can be asked", () =>
    Effect.gen(function* () {
      const { provider, organizationId, ask, find, restart } = yield* setUp
      const call = yield* ask
      provider.fates.push("lose the answer")
      yield* (yield* dialer(provider)).drain(organizationId)
      provider.silent = true
      yield* restart
      assert.deepInclude(yield* find(call.id), { status: "queued", callSid: null })
      provider.silent = false
      yield* restart
      assert.strictEqual((yield* find(call.id)).callSid, provider.calls[0].callSid)
    })
  )

  it.effect("believes a webhook about a call that was given up as lost", () =>
    Effect.gen(function* () {
      const { provider, organizationId, ask, find, restart } = yield* setUp
      const call = yield* ask
      provider.fates.push("lose the request")
      yield* (yield* dialer(provider)).drain(organizationId)
      yield* restart
      assert.strictEqual((yield* find(call.id)).status, "failed")
      const [calls, placements] = [yield* Calls, yield* Placements]
      assert.isTrue(yield* placements.placed(organizationId, call.id, "CA_late"))
      const news = { status: "ringing", sequence: 1, at: 30_000, durationSeconds: null, failureReason: null } as const
      yield* calls.told(organizationId, { id: call.id }, news)
      assert.deepInclude(yield* find(call.id), {
        status: "ringing",
        callSid: "CA_late",
        failureReason: null,
        endedAt: null
      })
      assert.isFalse(yield* placements.placed(organizationId, call.id, "CA_another"))
    })
  )

  it.effect("records the reason when the provider refuses", () =>
    Effect.gen(function* () {
      const { provider, organizationId, ask, find } = yield* setUp
      const call = yield* ask
      provider.fates.push(new TelephonyError({ status: 400, code: 21211, message: "Invalid 'To' Phone Number" }))
      yield* (yield* dialer(provider)).drain(organizationId)
      assert.deepInclude(yield* find(call.id), {
        status: "failed",
        endReason: "error",
        failureReason: "The telephony provider refused the call: Invalid 'To' Phone Number"
      })
    })
  )

  it.effect("keeps to one call per second and account, and queues the call again when the provider is too busy", () =>
    Effect.gen(function* () {
      const { provider, organizationId, ask } = yield* setUp
      for (let i = 0; i < 3; i++) yield* ask
      provider.fates.push("take", new TelephonyError({ status: 429, code: 20429, message: "Too Many Requests" }))
      const two = yield* Effect.all([dialer(provider), dialer(provider)])
      const fibers = yield* Effect.forEach(two, ({ drain }) => Effect.forkChild(drain(organizationId)))
      const seen: Array<number> = []
      for (const expected of [1, 2, 3, 4, 4]) {
        yield* eventually(`${expected} orders`, () => provider.orders.length >= expected)
        // Until the clock moves, every call waits, and the provider gets no further request.
        yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 150)))
        seen.push(provider.orders.length)
        yield* TestClock.adjust("1 second")
      }
      assert.deepStrictEqual(seen, [1, 2, 3, 4, 4])
      for (const fiber of fibers) fiber.interruptUnsafe()
    })
  )

  it.effect("gives up a call that waited too long for its turn", () =>
    Effect.gen(function* () {
      const { provider, organizationId, ask, find } = yield* setUp
      const call = yield* ask
      yield* TestClock.adjust("61 seconds")
      yield* (yield* dialer(provider)).drain(organizationId)
      assert.isEmpty(provider.orders)
      assert.deepInclude(yield* find(call.id), { status: "failed", endReason: "capacity" })
      assert.match((yield* find(call.id)).failureReason ?? "", /waited too long/)
    })
  )

  it.effect("does not ring somebody for an agent that was deleted, or lost its number, while the call waited", () =>
    Effect.gen(function* () {
      const [agents, numbers] = [yield* VoiceAgents, yield* PhoneNumbers]
      const another = agentOf("")
      const losses = [
        [(agentId: string, organizationId: string) => agents.remove(organizationId, agentId), /was deleted/],
        [
          (_agentId: string, organizationId: string, from: string) =>
            Effect.andThen(
              agents.create({ ...another, organizationId }),
              numbers.assign(organizationId, from, another.id)
            ),
          /lost its number/
        ]
      ] as const
      for (const [loss, reason] of losses) {
        const { provider, organizationId, ask, find } = yield* setUp
        const call = yield* ask
        yield* loss(call.agentId ?? "", organizationId, call.from)
        yield* (yield* dialer(provider)).drain(organizationId)
        assert.isEmpty(provider.orders)
        const failed = yield* find(call.id)
        assert.deepInclude(failed, { status: "failed", endReason: "error" })
        assert.match(failed.failureReason ?? "", reason)
      }
    })
  )

  it.effect("does not place a call whose organization lost the flag while it waited", () =>
    Effect.gen(function* () {
      const { provider, organizationId, ask, find } = yield* setUp
      const call = yield* ask
      yield* (yield* Organizations).setFlags(organizationId, { voiceAgents: false })
      yield* (yield* dialer(provider)).drain(organizationId)
      assert.isEmpty(provider.orders)
      assert.match((yield* find(call.id)).failureReason ?? "", /switched off/)
    })
  )

  it.effect("admits no more calls than the organization may have at once, however many ask together", () =>
    Effect.gen(function* () {
      const { ask } = yield* setUp
      const results = yield* Effect.all(
        Array.from({ length: 24 }, () => Effect.exit(ask)),
        { concurrency: 8 }
      )
      assert.lengthOf(
        results.filter((exit) => exit._tag === "Success"),
        20
      )
    })
  )
})
