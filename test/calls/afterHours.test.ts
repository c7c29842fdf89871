/** Calls outside business hours: the real service and database; providers and the telephone network are simulated on the wire. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { CallerApi } from "../../simulators/telephone/Caller.ts"
import { decodeWav } from "../../src/domain/basics/Wav.ts"
import { Organizations } from "../../src/domain/people/organizations/Organization.ts"
import { tenant } from "../../src/integrations/postgres/tenancy/Tenant.ts"
import { eventually } from "../support/eventually.ts"
import { type Parley, startParley } from "../support/parley.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const lines = {
  order: "Where is my order number four two seven?",
  callBack: "Please let me talk to a human."
}

const closed = { weekly: [], holidays: [] }

/** A service whose organization is closed now. */
const afterHours = Effect.fnUntraced(function* (options: Partial<Parameters<typeof startParley>[0]> = {}) {
  const parley = yield* startParley({ lines, ...options })
  const organizations = yield* Organizations.pipe(Effect.provide(parley.services))
  yield* organizations.setBusinessHours(parley.tenant.organizationId, "Europe/Berlin", closed)
  return parley
})

/** Waits until the message of the newest call is transcribed, and gives the call. */
const understood = (parley: Parley, phrases = 1) =>
  eventually(
    "the message in the call's record",
    Effect.map(parley.stored, (stored) => (stored.utterances.length >= phrases ? stored : undefined))
  )

const voicemailOf = ({ tenant: { organizationId }, services }: Parley) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ step: string; attempts: number; status: string | null }>`
      SELECT v.step, v.attempts, n.status FROM voicemails v JOIN calls c ON c.id = v.call_id
      LEFT JOIN conversations n ON n.id = c.conversation_id`
    return row
  }).pipe(tenant(organizationId), Effect.orDie, Effect.provide(services))

const done = (parley: Parley) =>
  eventually(
    "the end of the message's way",
    Effect.map(voicemailOf(parley), (row) => (row?.step === "done" ? row : undefined))
  )

const leave =
  (parley: Parley, ...names: ReadonlyArray<keyof typeof lines>) =>
  async (caller: CallerApi) => {
    await caller.waitForTone()
    for (const name of names) {
      await caller.say(parley.samples(name))
      await caller.sleep(1_200)
    }
    caller.hangUp()
  }

const recording = ({ baseUrl, tenant: { key } }: Parley, callId: string) =>
  Effect.promise(async () => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${baseUrl}/api/calls/${callId}/recording`, { headers })
    assert.strictEqual(response.status, 200)
    return decodeWav(new Uint8Array(await response.arrayBuffer()))
  })

describe.concurrent("outside business hours", () => {
  it.live(
    "the caller hears the disclosure and the agent's message, and the caller's message is in the conversation",
    () =>
      Effect.gen(function* () {
        const parley = yield* afterHours({
          agent: { voicemail: { message: "We are closed. Please leave a message." } }
        })
        const result = yield* parley.call(leave(parley, "order", "callBack"))
        assert.deepStrictEqual(result.warnings, [])
        assert.isAtLeast(result.events.filter(({ type }) => type === "played").length, 2)
        const { call, utterances } = yield* understood(parley, 2)
        assert.deepInclude(call, { status: "completed", endReason: "outside_hours", direction: "inbound" })
        assert.deepStrictEqual(
          utterances.map(({ role, text }) => [role, text]),
          [
            ["caller", lines.order],
            ["caller", lines.callBack]
          ]
        )
        assert.isBelow(utterances[0].endMs, utterances[1].endMs)
        assert.deepInclude(yield* done(parley), { status: "OPEN" })
        const { channels, sampleRate } = yield* recording(parley, call.id)
        assert.deepStrictEqual([channels.length, sampleRate], [2, 8_000])
        assert.isAbove(
          channels[0].reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
          3_000,
          "the caller is on the left"
        )
        assert.isTrue(channels[1].every((sample) => sample === 0))
        assert.strictEqual(parley.network.provider.recordings.size, 0, "nothing is left at the provider")
      }).pipe(Effect.scoped)
  )

  it.live("a caller who hangs up before the tone leaves only the call's record", () =>
    Effect.gen(function* () {
      const parley = yield* afterHours()
      const result = yield* parley.call(async (caller) => {
        await caller.waitForAgentToSpeak()
        caller.hangUp()
      })
      assert.deepStrictEqual(result.recordings, [])
      const { call, utterances } = yield* parley.stored
      assert.deepInclude(call, { endReason: "outside_hours", recording: null })
      assert.deepStrictEqual(utterances, [])
      assert.isUndefined(yield* voicemailOf(parley))
    }).pipe(Effect.scoped)
  )

  it.live("a message of a contact who is erased while speaking is kept nowhere, including the provider", () =>
    Effect.gen(function* () {
      const parley = yield* afterHours()
      const { baseUrl, tenant } = parley
      const ask = async (method: string, path: string) => {
        const headers = { authorization: `Bearer ${tenant.key}` }
        const response = await fetch(`${baseUrl}/api/messaging-api${path}`, { method, headers })
        assert.strictEqual(response.status, 200)
        return (await response.json()) as { data: ReadonlyArray<{ id: string }> }
      }
      yield* parley.call(async (caller) => {
        await caller.waitForTone()
        const { data } = await ask("GET", "/contacts")
        assert.lengthOf(data, 1)
        await ask("DELETE", `/contacts/${data[0].id}`)
        await leave(parley, "order")(caller)
      })
      yield* done(parley)
      const { call, utterances } = yield* parley.stored
      assert.deepInclude(call, { endReason: "outside_hours", from: "erased", contactId: null, recording: null })
      assert.deepStrictEqual(utterances, [])
      assert.strictEqual(parley.network.provider.recordings.size, 0)
      assert.isFalse(existsSync(join(parley.dataDir, "objects", "recordings")))
    }).pipe(Effect.scoped)
  )

  it.live("a message arrives although the provider's callback is lost and its interface fails for a while", () =>
    Effect.gen(function* () {
      const parley = yield* afterHours()
      const { faults } = parley.network
      faults.loseRecordingCallback = true
      faults.recordingMs = 1_500
      let refusals = 2
      faults.restFault = (_method, path) => (path.includes("/Recordings/") && refusals-- > 0 ? "refuse" : undefined)
      yield* parley.call(leave(parley, "order"))
      const { utterances } = yield* understood(parley)
      assert.deepStrictEqual(
        utterances.map(({ text }) => text),
        [lines.order]
      )
      yield* done(parley)
      assert.strictEqual(parley.network.provider.recordings.size, 0)
    }).pipe(Effect.scoped)
  )

  it.live(
    "the provider's own voice answers when the agent's voice is unavailable, and the message is still taken",
    () =>
      Effect.gen(function* () {
        const parley = yield* afterHours({ agent: { voicemail: { message: "Nobody is here." } } })
        parley.world.textToSpeech.faults.failNext = 100
        const result = yield* parley.call(leave(parley, "callBack"))
        assert.include(result.spoken, "Nobody is here.")
        const { utterances } = yield* understood(parley)
        assert.deepStrictEqual(
          utterances.map(({ text }) => text),
          [lines.callBack]
        )
      }).pipe(Effect.scoped)
  )
})
