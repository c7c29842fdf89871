/** People who watch a call that is under way, speak in it and end it: the real service between simulated telephones and providers. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { Audit } from "../../src/domain/people/access/Audit.ts"
import { openEvents } from "../support/event-stream.ts"
import { startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = { hours: "Hello, I would like to know your opening hours." }
const script = [{ when: /opening hours/i, reply: "We are open from nine to six." }]
const words = "On Saturday we close at noon."
const patience = 90_000

describe("a colleague who watches a call", () => {
  it.live(
    "sees its words as they are said, lets the agent say something, and ends it",
    () =>
      Effect.gen(function* () {
        // Long enough that the agent is seen to think, also when the answer was begun while the caller might have gone on.
        const parley = yield* startParley({ lines, script, languageModel: { firstTokenMs: 2_000 } })
        const { organizationId } = parley.tenant
        const keys = yield* Effect.provide(ApiKeys, parley.services)
        const { secret } = yield* keys.create({ organizationId, name: "desk" })
        const { secret: blind } = yield* keys.create({ organizationId, name: "blind", scopes: ["voice:read"] })
        const ask = (method: string, path: string, body?: unknown, key = secret) =>
          parley.request(method, path, body, key)
        const live = async () =>
          (await ask("GET", "/api/calls/live")).body.data as ReadonlyArray<Record<string, unknown>>
        const events = yield* Effect.promise(() => openEvents(parley.baseUrl, secret, { query: "?types=call.*" }))
        const streamId = events.headers.get("x-stream-id") ?? ""
        const statuses: Record<string, number> = {}
        const result = yield* parley.call(
          async (caller) => {
            await caller.waitForAgentToFinish()
            const [call] = await live()
            assert.strictEqual(call.status, "in_progress")
            const path = `/api/calls/${call.id}`
            statuses.watchBlind = (
              await ask("PUT", `/api/events/${streamId}/watch`, { calls: [call.id] }, blind)
            ).status
            statuses.watch = (await ask("PUT", `/api/events/${streamId}/watch`, { calls: [call.id] })).status
            await caller.say(parley.samples("hours"))
            await caller.waitForAgentToFinish()
            statuses.sayBlind = (await ask("POST", `${path}/say`, { text: words }, blind)).status
            statuses.say = (await ask("POST", `${path}/say`, { text: words })).status
            await caller.waitForAgentToSpeak()
            await caller.waitForAgentToFinish()
            statuses.end = (await ask("POST", `${path}/end`)).status
            while (true) await caller.sleep(100)
          },
          { maxMs: patience }
        )
        assert.isDefined(result)
        assert.deepStrictEqual(statuses, { watchBlind: 404, watch: 200, sayBlind: 403, say: 200, end: 200 })
        const { call, utterances } = yield* parley.stored
        assert.strictEqual(call.endReason, "agent_hangup")
        const said = utterances.map(({ role, text }) => `${role}: ${text}`)
        assert.include(said, `agent: ${words}`)
        for (const command of ["say", "end", "transfer"]) {
          const late = yield* Effect.promise(() =>
            ask("POST", `/api/calls/${call.id}/${command}`, command === "say" ? { text: words } : undefined)
          )
          assert.strictEqual(late.status, 409)
        }
        assert.deepStrictEqual(yield* Effect.promise(live), [])

        const told = yield* Effect.promise(() => events.until(1, "call.turn"))
        assert.isAtLeast(told.length, 1)
        const heard = events.events.filter(({ event }) => event === "call.words")
        assert.includeMembers(
          heard
            .filter(({ data }) => (data?.data as { final: boolean }).final)
            .map(({ data }) => (data?.data as { text: string }).text),
          [lines.hours, words]
        )
        assert.isTrue(events.events.filter(({ event }) => event === "call.updated").every(({ id }) => id === undefined))
        const states = events.events
          .filter(({ event }) => event === "call.updated")
          .map(({ data }) => (data?.data as { call: { state: string } }).call.state)
        assert.includeMembers(states, ["agent", "thinking", "silence", "closing", "over"])
        events.close()
        const audit = yield* Effect.provide(Audit, parley.services)
        const { data: log } = yield* audit.list(organizationId, { subjectId: call.id }, 1, 20)
        const actions = log.map(({ action }) => action)
        assert.includeMembers(actions, ["call.said_for", "call.ended_by"])
        assert.notInclude(JSON.stringify(log), words)
      }).pipe(Effect.scoped),
    patience
  )
})
