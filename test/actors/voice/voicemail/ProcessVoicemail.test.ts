/** Voicemails whose recording the provider does not hand over, or does not remove, for hours and days. */
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeProcessVoicemail } from "../../../../src/actors/voice/voicemail/ProcessVoicemail.ts"
import { SpeechToText } from "../../../../src/domain/ai/providers/Speech.ts"
import { newId } from "../../../../src/domain/basics/Ids.ts"
import { ObjectStorage } from "../../../../src/domain/basics/ObjectStorage.ts"
import { encodeWav } from "../../../../src/domain/basics/Wav.ts"
import { ContactErasure } from "../../../../src/domain/privacy/ContactErasure.ts"
import { ProviderRecordings, Voicemails } from "../../../../src/domain/voice/calls/inbound/Voicemail.ts"
import { Calls } from "../../../../src/domain/voice/calls/records/CallRecord.ts"
import { recordingKey } from "../../../../src/domain/voice/engine/Recordings.ts"
import { TelephonyConnections } from "../../../../src/domain/voice/telephony/PhoneNumber.ts"
import { TelephonyError } from "../../../../src/domain/voice/telephony/Telephony.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import * as LocalObjectStorage from "../../../../src/integrations/storage/LocalObjectStorage.ts"
import { temporaryFolder } from "../../../support/folder.ts"
import { newOrganization, testStores } from "../../../support/tenants.ts"

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** A message left outside hours. The provider has its recording, which is empty; `provider` says which of its requests succeed. */
const left = Effect.gen(function* () {
  const { id: organizationId } = yield* newOrganization()
  const accountSid = newId("tel")
  yield* (yield* TelephonyConnections).save({ organizationId, accountSid, authToken: "token" })
  const calls = yield* Calls
  const callSid = newId("call")
  const { call } = yield* calls.open({
    organizationId,
    agentId: null,
    direction: "inbound",
    status: "completed",
    endReason: "outside_hours",
    from: "+14155550100",
    to: "+14155550123",
    callSid
  })
  const recordingSid = newId("rec")
  const voicemails = yield* Voicemails
  yield* voicemails.received({ organizationId, callId: call.id, callSid, accountSid, recordingSid }, 0)

  const provider = { hasIt: true, fetches: true, removes: true }
  const outOfOrder = new TelephonyError({ status: 503, code: null, message: "out of order" })
  const recordings = Layer.succeed(ProviderRecordings, {
    fetch: () =>
      Effect.suspend(() =>
        provider.fetches ? Effect.succeed(encodeWav([new Int16Array(0)], 8_000)) : Effect.fail(outOfOrder)
      ),
    remove: () =>
      Effect.suspend(() => {
        if (!provider.removes) return Effect.fail(outOfOrder)
        provider.hasIt = false
        return Effect.void
      })
  })
  let transcriptions = 0
  const speech = Layer.succeed(SpeechToText, {
    open: () =>
      Effect.sync(() => {
        transcriptions++
        return { push: () => {}, flush: () => {}, transcripts: Stream.never }
      })
  })
  const folder = yield* temporaryFolder("voicemail")
  const objects = yield* Layer.build(LocalObjectStorage.layer({ folder }))
  const storage = yield* ObjectStorage.pipe(Effect.provide(objects))
  const process = yield* makeProcessVoicemail.pipe(Effect.provide([recordings, Layer.succeedContext(objects)]))
  const look = Effect.gen(function* () {
    const due = yield* voicemails.claim(yield* Clock.currentTimeMillis, 60_000, 100)
    const mine = due.filter((message) => message.recordingSid === recordingSid)
    yield* Effect.forEach(mine, (message) => process(message), { discard: true })
    return mine.length
  }).pipe(Effect.provide(speech))
  /** Lets `ms` pass. The worker looks each `every` ms until nothing is due. Gives how many messages it worked on, counting repetitions. */
  const pass = Effect.fnUntraced(function* (ms: number, every: number) {
    let done = 0
    for (let gone = 0; gone <= ms; gone += every) {
      for (let found = yield* look; found > 0; found = yield* look) done += found
      yield* TestClock.adjust(every)
    }
    return done
  })
  const state = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* tenant(organizationId)(sql<{ step: string; conversation: string }>`
      SELECT v.step, n.status AS conversation FROM voicemails v JOIN calls c ON c.id = v.call_id
      JOIN conversations n ON n.id = c.conversation_id WHERE v.recording_sid = ${recordingSid}`)
    return { ...row, kept: (yield* calls.recordings(organizationId, call.id)).length }
  })
  /** A team member resolves the conversation. */
  const resolve = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    tenant(organizationId)(sql`UPDATE conversations SET status = 'RESOLVED' WHERE id = ${call.conversationId}`)
  )
  const erase = Effect.flatMap(ContactErasure, (erasure) => erasure.erase(organizationId, call.contactId ?? ""))
  /** The steps of its row, and what is kept of it. */
  const remains = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* tenant(organizationId)(
      sql<{ step: string }>`SELECT step FROM voicemails WHERE recording_sid = ${recordingSid}`
    )
    const file = recordingKey(organizationId, call.id, recordingSid)
    const stored = yield* Effect.isSuccess(storage.find(file))
    return {
      steps: rows.map(({ step }) => step),
      stored,
      kept: (yield* calls.recordings(organizationId, call.id)).length
    }
  })
  /** Stores the recording as a fetch does that dies before it can say so. */
  const halfFetched = storage.put(
    recordingKey(organizationId, call.id, recordingSid),
    Stream.succeed(Buffer.from("RIFF")),
    {
      contentType: "audio/wav",
      size: 4
    }
  )
  return { provider, pass, state, resolve, erase, remains, halfFetched, transcriptions: () => transcriptions }
})

/** A test clock for the test's own days: the database's tasks of every second go on in real time. */
const days = Effect.provide(TestClock.layer())

layer(testStores, { excludeTestServices: true })("a message left outside hours", (it) => {
  it.effect(
    "is shown to the team within hours when it cannot be fetched, and is fetched when the provider has recovered",
    () =>
      Effect.gen(function* () {
        const { provider, pass, state, resolve } = yield* left
        provider.fetches = false
        yield* resolve
        yield* pass(2 * hourMs, 60_000)
        assert.deepStrictEqual(yield* state, { step: "fetch", conversation: "OPEN", kept: 0 })
        yield* pass(5 * dayMs, 6 * hourMs)
        yield* resolve
        provider.fetches = true
        yield* pass(dayMs, hourMs)
        assert.deepStrictEqual(yield* state, { step: "done", conversation: "OPEN", kept: 1 })
        assert.isFalse(provider.hasIt)
      }).pipe(days)
  )

  it.effect(
    "is transcribed after a day when the provider's copy cannot be removed, and the copy is removed when the provider has recovered",
    () =>
      Effect.gen(function* () {
        const { provider, pass, state, transcriptions } = yield* left
        provider.removes = false
        yield* pass(2 * dayMs, hourMs)
        assert.strictEqual(transcriptions(), 1)
        yield* pass(3 * dayMs, 6 * hourMs)
        assert.deepInclude(yield* state, { step: "remove", kept: 1 })
        provider.removes = true
        yield* pass(dayMs, hourMs)
        assert.deepInclude(yield* state, { step: "done" })
        assert.isFalse(provider.hasIt)
      }).pipe(days)
  )

  it.effect("is tried once a day when the provider never hands it over, and is given up in the end", () =>
    Effect.gen(function* () {
      const { provider, pass, state } = yield* left
      provider.fetches = false
      yield* pass(2 * dayMs, hourMs)
      assert.isAtMost(yield* pass(5 * dayMs, 6 * hourMs), 6)
      assert.deepInclude(yield* state, { step: "fetch" })
      yield* pass(10 * dayMs, 6 * hourMs)
      assert.deepStrictEqual(yield* state, { step: "given_up", conversation: "OPEN", kept: 0 })
    }).pipe(days)
  )

  it.effect("does not delay the erasure of its contact; it is removed at the provider later and never stored", () =>
    Effect.gen(function* () {
      const { provider, pass, erase, remains, halfFetched } = yield* left
      provider.fetches = false
      provider.removes = false
      yield* pass(2 * dayMs, hourMs)
      yield* halfFetched
      assert.deepInclude(yield* erase, { calls: 1 })
      yield* pass(3 * dayMs, hourMs)
      provider.fetches = true
      provider.removes = true
      yield* pass(dayMs, hourMs)
      assert.isFalse(provider.hasIt)
      assert.deepStrictEqual(yield* remains, { steps: ["done"], stored: false, kept: 0 })
    }).pipe(days)
  )

  it.effect("is removed at the provider when its contact is erased after it was given up", () =>
    Effect.gen(function* () {
      const { provider, pass, erase, remains } = yield* left
      provider.fetches = false
      yield* pass(2 * dayMs, hourMs)
      yield* pass(16 * dayMs, 6 * hourMs)
      assert.deepInclude(yield* remains, { steps: ["given_up"] })
      yield* erase
      yield* pass(hourMs, hourMs)
      assert.isFalse(provider.hasIt)
    }).pipe(days)
  )
})
