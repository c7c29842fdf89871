import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { OneNode } from "../../../../src/domain/basics/OneNode.ts"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import { defaultRetention } from "../../../../src/domain/people/organizations/RetentionPolicy.ts"
import { cutoffs, ExpiredRecords, makeExpire, nothingRemoved } from "../../../../src/domain/privacy/Retention.ts"
import { noKinds } from "../../../../src/domain/privacy/RetentionKinds.ts"
import { makeRunRetention } from "../../../../src/domain/privacy/RunRetention.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { recordingKey } from "../../../../src/domain/voice/engine/Recordings.ts"
import * as StoredMedia from "../../../../src/integrations/media/StoredMedia.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { answered, type Desk, desk, ended, said } from "../../../support/escalation.ts"
import { FakeObjects } from "../../../support/objects.ts"
import { testStores } from "../../../support/tenants.ts"

const dayMs = 86_400_000
/** The start of the test clock. */
const now = 0

/** A call that ended `ageMs` ago, with everything that a call can leave behind, stored at that time. */
const old = Effect.fnUntraced(function* (here: Desk, ageMs: number, recordings = 1) {
  const [calls, sql] = [yield* Calls, yield* SqlClient.SqlClient]
  const { organizationId } = here
  const at = new Date(now - ageMs)
  const call = yield* answered(here, new Date(now - ageMs - 60_000).toISOString())
  const base = { organizationId, agentId: here.agent.id, callId: call.id }
  yield* calls.apply(said(here, call.id, 1, "Hello"))
  yield* calls.apply(said(here, call.id, 2, "Hi"))
  yield* calls.apply({
    type: "moderation",
    ...base,
    id: `mod ${call.id}`,
    direction: "input",
    text: "bad",
    categories: ["x"]
  })
  yield* calls.apply(ended(here, call.id, "caller_hangup", at.toISOString()))
  yield* calls.recordToolCall(organizationId, call.id, {
    id: "tool_1",
    name: "order_status",
    arguments: "{}",
    result: "{}",
    outcome: "ok",
    durationMs: 1
  })
  const keys = Array.from({ length: recordings }, (_, n) => recordingKey(organizationId, call.id, `rec_${n}`))
  for (const key of keys)
    yield* calls.apply({ type: "recording", ...base, id: `evt ${key}`, key, bytes: 44, durationMs: 0 })
  yield* tenant(organizationId)(sql`UPDATE utterances SET created_at = ${at} WHERE call_id = ${call.id}`)
  yield* tenant(organizationId)(sql`UPDATE tool_calls SET created_at = ${at} WHERE call_id = ${call.id}`)
  yield* tenant(organizationId)(sql`UPDATE calls SET created_at = ${at} WHERE id = ${call.id}`)
  return { id: call.id, keys }
})

const left = Effect.fnUntraced(function* (here: Desk, callId: string) {
  const calls = yield* Calls
  return {
    utterances: (yield* calls.utterances(here.organizationId, callId)).length,
    recordings: (yield* calls.recordings(here.organizationId, callId)).length,
    toolCalls: (yield* calls.toolCalls(here.organizationId, callId)).length
  }
})

const expireWith = (objects: FakeObjects, batch?: number) => makeExpire(batch).pipe(Effect.provide(objects.layer))

layer(testStores)("retention", (it) => {
  it.effect(
    "removes what is older than its period, keeps what is exactly as old or younger, and counts what it removed",
    () =>
      Effect.gen(function* () {
        const [records, here, objects] = [yield* ExpiredRecords, yield* desk(), new FakeObjects()]
        const { organizationId } = here
        const expire = yield* expireWith(objects, 2)
        const ages = fc.sample(fc.oneof(fc.integer({ min: 0, max: 400 * dayMs }), fc.constantFrom(0, dayMs)), 8)
        const edges = [90, 365].flatMap((days) => [-1, 0, 1].map((ms) => days * dayMs + ms))
        const made: Array<{ age: number; id: string; keys: ReadonlyArray<string> }> = []
        for (const age of [...edges, ...ages]) made.push({ age, ...(yield* old(here, age)) })
        const olderThan = (days: number) => made.filter(({ age }) => age > days * dayMs).length
        const expected = {
          transcripts: olderThan(90),
          utterances: 2 * olderThan(90),
          recordings: olderThan(90),
          recordingsFailed: 0,
          toolCalls: olderThan(365),
          moderations: 0
        }
        assert.deepStrictEqual(yield* records.count(organizationId, cutoffs(defaultRetention, now)), expected)
        assert.deepStrictEqual(yield* expire(organizationId, defaultRetention, now), expected)
        for (const { id, age, keys } of made) {
          const young = age <= 90 * dayMs
          assert.deepStrictEqual(
            yield* left(here, id),
            { utterances: young ? 2 : 0, recordings: young ? 1 : 0, toolCalls: age <= 365 * dayMs ? 1 : 0 },
            `${age} ms`
          )
          assert.strictEqual(
            objects.removed.some((key) => key === keys[0]),
            !young
          )
        }
        assert.deepStrictEqual(yield* expire(organizationId, defaultRetention, now), nothingRemoved)
      })
  )

  it.effect(
    "keeps a recording that cannot be removed in its call for the next day, and removes the call's other recordings",
    () =>
      Effect.gen(function* () {
        const [calls, here, objects] = [yield* Calls, yield* desk(), new FakeObjects()]
        const { organizationId } = here
        const { id, keys } = yield* old(here, 100 * dayMs, 3)
        const other = yield* old(here, 100 * dayMs)
        objects.refuse = (key) => key === keys[1]
        const expire = yield* expireWith(objects, 1)
        assert.deepInclude(yield* expire(organizationId, defaultRetention, now), { recordings: 3, recordingsFailed: 1 })
        assert.deepStrictEqual(
          (yield* calls.recordings(organizationId, id)).map(({ key }) => key),
          [keys[1]]
        )
        assert.isEmpty(yield* calls.recordings(organizationId, other.id))
        objects.refuse = () => false
        assert.deepInclude(yield* expire(organizationId, defaultRetention, now), { recordings: 1, recordingsFailed: 0 })
        assert.isNull((yield* calls.find(organizationId, id))?.recording)
      })
  )

  it.effect("touches nothing of another organization, and keeps the call and its cost", () =>
    Effect.gen(function* () {
      const [calls, sql, here, other, objects] = [
        yield* Calls,
        yield* SqlClient.SqlClient,
        yield* desk(),
        yield* desk(),
        new FakeObjects()
      ]
      const [mine, theirs] = [yield* old(here, 100 * dayMs), yield* old(other, 100 * dayMs)]
      yield* (yield* expireWith(objects))(here.organizationId, defaultRetention, now)
      assert.deepStrictEqual(yield* left(other, theirs.id), { utterances: 2, recordings: 1, toolCalls: 1 })
      assert.strictEqual((yield* calls.find(here.organizationId, mine.id))?.endReason, "caller_hangup")
      const counted = yield* tenant(here.organizationId)(sql`SELECT * FROM voice_ledger WHERE call_id = ${mine.id}`)
      assert.lengthOf(counted, 1)
    })
  )

  it.effect("removes flagged texts from the audit log after their period, but no other or younger entries", () =>
    Effect.gen(function* () {
      const [sql, records, here] = [yield* SqlClient.SqlClient, yield* ExpiredRecords, yield* desk()]
      const asTenant = tenant(here.organizationId)
      yield* old(here, 0)
      const entry = (id: string, action: string, days: number) =>
        asTenant(sql`INSERT INTO audit_log (organization_id, id, action, subject_id, details, created_at)
          VALUES (${here.organizationId}, ${id}, ${action}, 'call_x', '{}', now() - ${days} * interval '1 day')`)
      yield* entry("old", "call.moderation", 400)
      yield* entry("other", "call.handoff", 400)
      // Even when everything is to be removed, the last day stays.
      assert.strictEqual(yield* records.removeModerations(here.organizationId, Date.now() + dayMs, 10), 1)
      const kept = yield* asTenant(sql<{ action: string }>`SELECT action FROM audit_log ORDER BY action`)
      assert.deepStrictEqual(
        kept.map(({ action }) => action),
        ["call.handoff", "call.moderation"]
      )
      yield* Effect.flip(asTenant(sql`DELETE FROM audit_log`))
    })
  )

  it.effect("runs once a day for every organization, each with its own periods, and notes what it did", () =>
    Effect.gen(function* () {
      const [organizations, sql, objects] = [yield* Organizations, yield* SqlClient.SqlClient, new FakeObjects()]
      const media = StoredMedia.layer({ folder: join(tmpdir(), "parley-no-uploads") })
      const { run } = yield* makeRunRetention.pipe(Effect.provide(Layer.provideMerge(media, objects.layer)))
      // Remove first what other tests left behind.
      yield* run
      objects.removed.length = 0
      const [short, long] = [yield* desk(), yield* desk()]
      yield* tenant(short.organizationId)(sql`UPDATE organizations SET plan = 'ENTERPRISE'`)
      for (const { organizationId } of [short, long])
        yield* organizations.setRetention(organizationId, { ...defaultRetention, transcriptDays: 7, recordingDays: 7 })
      const calls = [yield* old(short, 8 * dayMs), yield* old(long, 8 * dayMs)]
      assert.deepInclude(yield* run, { transcripts: 1, recordings: 1 })
      assert.deepStrictEqual(objects.removed, calls[0].keys)
      const again = yield* old(short, 8 * dayMs)
      assert.deepStrictEqual(yield* run, { ...nothingRemoved, ...noKinds })
      const runs = () =>
        tenant(short.organizationId)(
          sql`SELECT day::text AS day, transcripts, recordings FROM retention_runs ORDER BY day`
        )
      assert.deepStrictEqual(yield* runs(), [{ day: "1970-01-01", transcripts: 1, recordings: 1 }])
      yield* TestClock.adjust("24 hours")
      yield* run
      assert.strictEqual((yield* left(short, again.id)).utterances, 0)
      assert.deepStrictEqual((yield* runs())[1], { day: "1970-01-02", transcripts: 1, recordings: 1 })
    })
  )
})

layer(testStores, { excludeTestServices: true })("for work that only one node may do", (it) => {
  it.effect("one node at a time does it, also after a node that failed or was cut off", () =>
    Effect.gen(function* () {
      const oneNode = yield* OneNode
      const begun = yield* Deferred.make<void>()
      const work = Effect.andThen(Deferred.succeed(begun, undefined), Effect.never)
      const busy = yield* Effect.forkChild(oneNode.run("job", work))
      yield* Deferred.await(begun)
      assert.isTrue(Option.isNone(yield* oneNode.run("job", Effect.succeed(1))))
      assert.deepStrictEqual(yield* oneNode.run("another job", Effect.succeed(2)), Option.some(2))
      yield* Fiber.interrupt(busy)
      assert.strictEqual(yield* Effect.flip(oneNode.run("job", Effect.fail("broken"))), "broken")
      assert.deepStrictEqual(yield* oneNode.run("job", Effect.succeed(3)), Option.some(3))
    })
  )
})
