/** Telling integrations on real stores: each change once with several nodes, in order by contact, and nothing lost while a provider does not work. */
import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { SyncQueue } from "../../../src/domain/apps/SyncQueue.ts"
import { Conversations } from "../../../src/domain/messaging/conversations/Conversation.ts"
import { Messages } from "../../../src/domain/messaging/conversations/Message.ts"
import { VoiceAgents } from "../../../src/domain/voice/agents/VoiceAgent.ts"
import { Calls } from "../../../src/domain/voice/calls/records/CallRecord.ts"
import { recordingKey } from "../../../src/domain/voice/engine/Recordings.ts"
import { type Apps, signingSecret, startApps } from "../../support/apps.ts"
import { eventually } from "../../support/eventually.ts"
import { playsInRealTime } from "../../support/Slowness.ts"
import { logSettled } from "../../support/settled.ts"
import { agentOf } from "../../support/tenants.ts"

playsInRealTime()

const story = <E>(name: string, tell: (apps: Apps) => Effect.Effect<void, E, Scope.Scope>) =>
  it.live(name, () => Effect.scoped(Effect.flatMap(startApps, tell)))

const answer = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  ({ kind: "answer", status, headers }) as const
const ok = answer(200)

describe("an integration", () => {
  story("is told each change once, with two nodes at work, and the changes of a contact in order", (apps) =>
    Effect.gen(function* () {
      const { tenant, connect, contact, rename, receiver, worker, connection } = apps
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => connect(us, "/crm"))
      receiver.behave("/crm", { kind: "slow", ms: 20 })
      yield* worker
      yield* worker
      const guests = yield* Effect.promise(() => Promise.all(Array.from({ length: 20 }, () => contact(us))))
      yield* eventually("all were created there", () => receiver.received.length >= 20)
      yield* Effect.promise(() => Promise.all(guests.map(({ id }) => rename(us, id, "Asha"))))
      yield* eventually("all were changed there", () => receiver.received.length >= 40)
      yield* Effect.sleep("300 millis")
      const told = receiver.received.map(({ headers, body }) => ({ id: headers["webhook-id"], ...JSON.parse(body) }))
      assert.lengthOf(told, 40)
      assert.strictEqual(new Set(told.map(({ id }) => id)).size, 40)
      for (const guest of guests) {
        const own = told.filter(({ data }) => data.contact.id === guest.id)
        assert.deepStrictEqual(
          own.map(({ type, data }) => [type, data.contact.name]),
          [
            ["contact.created", "Guest"],
            ["contact.updated", "Asha"]
          ]
        )
      }
      const [{ headers, body }] = receiver.received
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
      const key = Buffer.from(signingSecret.slice(6), "base64")
      assert.strictEqual(
        headers["webhook-signature"],
        `v1,${createHmac("sha256", key).update(signed).digest("base64")}`
      )
      const shown = yield* Effect.promise(() => connection(us))
      assert.deepInclude(shown, { waiting: 0, problems: 0, state: "connected" })
    })
  )

  story("is told of a resolved conversation, with its last lines", (apps) =>
    Effect.gen(function* () {
      const { tenant, connect, contact, receiver, worker, run } = apps
      const us = yield* Effect.promise(() => tenant())
      const guest = yield* Effect.promise(() => contact(us))
      yield* Effect.promise(() => connect(us, "/crm"))
      yield* worker
      const { organizationId } = us
      const id = yield* Effect.promise(() =>
        run(
          Effect.gen(function* () {
            const conversations = yield* Conversations
            const conversationId = yield* conversations.open(organizationId, guest.id, "messaging")
            const said = { organizationId, conversationId, direction: "inbound", type: "text" } as const
            yield* (yield* Messages).add({ ...said, content: { text: "Is it in stock?" } }, Date.now())
            yield* conversations.change(organizationId, conversationId, { status: "RESOLVED" }, Date.now())
            return conversationId
          })
        )
      )
      yield* eventually("it was told", () => receiver.to("/crm").some(({ body }) => body.includes("resolved")))
      const { data } = JSON.parse(receiver.to("/crm").at(-1)?.body ?? "")
      assert.strictEqual(data.contact.id, guest.id)
      assert.deepInclude(data.conversation, { id, channel: "messaging", durationSeconds: null })
      assert.deepStrictEqual(
        data.conversation.lines.map(({ by, text }: { by: string; text: string }) => [by, text]),
        [["contact", "Is it in stock?"]]
      )
    })
  )

  story(
    "is told of a call that has ended, and again when its recording is there, with no call before its end",
    (apps) =>
      Effect.gen(function* () {
        const { tenant, connect, receiver, worker, run } = apps
        const us = yield* Effect.promise(() => tenant())
        yield* Effect.promise(() => connect(us, "/crm"))
        yield* worker
        const { organizationId } = us
        const told = () =>
          receiver.to("/crm").flatMap(({ body }) => (body.includes("call.ended") ? [JSON.parse(body)] : []))
        const agent = agentOf(organizationId)
        const base = yield* Effect.promise(() =>
          run(
            Effect.gen(function* () {
              yield* (yield* VoiceAgents).create(agent)
              const calls = yield* Calls
              const numbers = { from: "+14155550171", to: "+14155550172", callSid: "CA1" }
              const { call } = yield* calls.open({
                ...{ organizationId, agentId: agent.id, direction: "inbound", status: "ringing" },
                ...numbers
              })
              const base = { organizationId, agentId: agent.id, callId: call.id }
              yield* calls.apply({ type: "call_started", id: "evt_1", ...base, startedAt: "2026-11-25T10:00:00.000Z" })
              yield* calls.apply({
                ...{ type: "transcript", id: "evt_2", ...base, sequence: 1, role: "caller", text: "Is it in stock?" },
                ...{ interrupted: false, startMs: 1_000, endMs: 2_000 }
              })
              return base
            })
          )
        )
        yield* eventually("the caller was told", () => receiver.to("/crm").length >= 1)
        yield* Effect.sleep("300 millis")
        assert.isEmpty(told())
        yield* Effect.promise(() =>
          run(
            Effect.flatMap(Calls, (calls) =>
              calls.apply({
                ...{ type: "call_end", id: "evt_3", ...base, endReason: "caller_hangup", turns: [] },
                ...{
                  endedAt: "2026-11-25T10:01:00.000Z",
                  durationSeconds: 60,
                  interruptions: 0,
                  falseInterruptions: 0
                },
                ...{ toolCalls: 0, callerTalkMs: 1_000, agentTalkMs: 0 }
              })
            )
          )
        )
        yield* eventually("the call was told", () => told().length === 1)
        const [{ data }] = told()
        assert.deepInclude(data.conversation, {
          ...{ resolvedAt: null, at: "2026-11-25T10:01:00.000Z", durationSeconds: 60, channel: "voice" },
          ...{ agent: agent.name, recordingUrl: null }
        })
        assert.deepStrictEqual(
          data.conversation.lines.map(({ text }: { text: string }) => text),
          ["Is it in stock?"]
        )
        const key = recordingKey(organizationId, base.callId, "part")
        yield* Effect.promise(() =>
          run(
            Effect.flatMap(Calls, (calls) =>
              calls.apply({ type: "recording", id: "evt_4", ...base, key, bytes: 100, durationMs: 60_000 })
            )
          )
        )
        yield* eventually("the recording was told", () => told().length === 2)
        assert.match(told()[1].data.conversation.recordingUrl, /\/recording/)
      })
  )

  story("that refuses our credentials gets everything once they work again, and tells of both", (apps) =>
    Effect.gen(function* () {
      const { tenant, connect, connection, contact, receiver, worker, call, rows } = apps
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => connect(us, "/crm"))
      receiver.behave("/crm", answer(401))
      yield* worker
      yield* Effect.promise(() => Promise.all(Array.from({ length: 5 }, () => contact(us))))
      yield* eventually("it is noticed", async () => (await connection(us)).state === "failing")
      const failing = yield* Effect.promise(() => connection(us))
      assert.match(String(failing.problem), /refuses our credentials \(401\)\. We try again every 5 minutes\./)
      yield* eventually("all wait", async () => (await connection(us)).waiting === 5)
      const before = receiver.received.length
      receiver.behave("/crm", ok)
      const tried = yield* Effect.promise(() => call(us, "POST", "/webhook/test"))
      assert.deepStrictEqual(tried.body, { ok: true, problem: null })
      yield* eventually("all came", async () => (await connection(us)).waiting === 0)
      assert.isAtLeast(receiver.received.length - before, 6)
      const events = yield* Effect.promise(() =>
        rows(us, "SELECT type, data FROM events WHERE type LIKE 'connection.%' ORDER BY position")
      )
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["connection.failed", "connection.recovered"]
      )
    })
  )

  story("that asks us to wait delays only itself, and one that is dead delays nobody", (apps) =>
    Effect.gen(function* () {
      const { tenant, connect, connection, contact, receiver, worker } = apps
      const [slow, dead, well] = yield* Effect.promise(() => Promise.all([tenant(), tenant(), tenant()]))
      yield* Effect.promise(() => Promise.all([connect(slow, "/slow"), connect(dead, "/dead"), connect(well, "/well")]))
      receiver.behave("/slow", answer(429, { "retry-after": "2" }), ok)
      receiver.behave("/dead", { kind: "hang" })
      yield* worker
      const began = performance.now()
      yield* Effect.promise(() =>
        Promise.all([slow, dead, well].flatMap((one) => Array.from({ length: 10 }, () => contact(one))))
      )
      yield* eventually("the healthy one got everything", () => receiver.to("/well").length === 10)
      assert.isBelow(performance.now() - began, 5_000)
      yield* eventually("the slow one got everything", async () => (await connection(slow)).waiting === 0)
      const times = receiver.to("/slow").map(({ at }) => at)
      // Those under way when the answer came are answered; then nothing comes for the two seconds.
      const gaps = times.slice(1).map((at, index) => at - times[index])
      assert.isAbove(Math.max(...gaps), 1_500)
      assert.strictEqual((yield* Effect.promise(() => connection(slow))).problems, 0)
    })
  )

  story("that refuses a change shows it, and gets it when it is sent again", (apps) =>
    Effect.gen(function* () {
      const { tenant, connect, connection, contact, receiver, worker, call } = apps
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => connect(us, "/crm"))
      receiver.behave("/crm", answer(400))
      yield* worker
      const guest = yield* Effect.promise(() => contact(us))
      yield* eventually("it was given up", async () => (await connection(us)).problems === 1)
      const { body } = yield* Effect.promise(() => call(us, "GET", "/webhook/problems"))
      const [problem] = body.data as ReadonlyArray<Record<string, unknown>>
      assert.deepInclude(problem, {
        trigger: "contact.created",
        contactId: guest.id,
        error: "The address answered 400."
      })
      const log = yield* Effect.promise(() => call(us, "GET", "/webhook/log"))
      const [entry] = log.body.data as ReadonlyArray<Record<string, unknown>>
      assert.deepInclude(entry, { method: "POST", status: 400, taskId: problem.id })
      assert.notInclude(JSON.stringify(log.body), signingSecret)
      receiver.behave("/crm", ok)
      const replayed = yield* Effect.promise(() => call(us, "POST", `/webhook/problems/${problem.id}/replay`))
      assert.deepStrictEqual(replayed.body, { queued: 1 })
      yield* eventually("it came", () => receiver.to("/crm").length === 2)
      yield* eventually("it is none any more", async () => (await connection(us)).problems === 0)
    })
  )

  story("gets the contacts from before when somebody wants that, and no more after a stop", (apps) =>
    Effect.gen(function* () {
      const { tenant, connect, connection, contact, receiver, worker, call, run } = apps
      const us = yield* Effect.promise(() => tenant())
      yield* Effect.promise(() => Promise.all(Array.from({ length: 130 }, () => contact(us))))
      yield* Effect.promise(() => run(logSettled))
      yield* Effect.promise(() => connect(us, "/crm"))
      const fill = Effect.promise(() => run(Effect.flatMap(SyncQueue, (queue) => queue.fill(Date.now()))))
      const started = yield* Effect.promise(() => call(us, "POST", "/webhook/backfill/start"))
      assert.deepInclude(started.body.connection, { backfill: { state: "running", sent: 0, total: 130 } })
      yield* fill
      assert.strictEqual((yield* Effect.promise(() => connection(us))).waiting, 100)
      const stopped = yield* Effect.promise(() => call(us, "POST", "/webhook/backfill/stop"))
      assert.deepInclude(stopped.body.connection, { waiting: 0, backfill: { state: "stopped", sent: 0, total: 130 } })
      yield* Effect.promise(() => call(us, "POST", "/webhook/backfill/start"))
      yield* worker
      yield* eventually("all were sent", async () => {
        const { backfill } = await connection(us)
        return JSON.stringify(backfill) === JSON.stringify({ state: "done", sent: 130, total: 130 })
      })
      const ids = receiver.received.map(({ body }) => JSON.parse(body).data.contact.id)
      assert.lengthOf(ids, 130)
      assert.strictEqual(new Set(ids).size, 130)
    })
  )
})
