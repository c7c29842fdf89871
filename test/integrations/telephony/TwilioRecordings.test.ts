import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { newSid, rfc2822 } from "../../../simulators/telephone/provider/Provider.ts"
import * as Telephone from "../../../simulators/telephone/TelephoneNetwork.ts"
import { ProviderRecordings } from "../../../src/domain/voice/calls/inbound/Voicemail.ts"
import type { TelephonyAccount, TelephonyError } from "../../../src/domain/voice/telephony/Telephony.ts"
import { layer, type TwilioRecordingsOptions } from "../../../src/integrations/telephony/TwilioRecordings.ts"
import { officialClient } from "../../contract/officialTwilio.ts"
import { judge } from "../../contract/Twilio.ts"

const account: TelephonyAccount = { accountSid: newSid("AC"), authToken: "12345abcde67890fghij12345abcde67" }
const wav = Buffer.from(Uint8Array.from({ length: 5_000 }, (_, i) => i % 256))

/** A provider with one recording of the account. */
const provider = Effect.gen(function* () {
  const network = yield* Effect.acquireRelease(
    Effect.promise(() => Telephone.start({ ...account, webhookUrl: "https://app.example.test/voice" })),
    ({ close }) => Effect.promise(close)
  )
  const sid = newSid("RE")
  const { accountSid } = account
  const recording = { sid, accountSid, callSid: newSid("CA"), created: rfc2822(), seconds: 3, wav, ready: true }
  network.provider.recordings.set(sid, recording)
  return { network, sid, recording }
})

const using =
  (baseUrl: string, options: Partial<TwilioRecordingsOptions> = {}) =>
  <A>(use: (recordings: ProviderRecordings["Service"]) => Effect.Effect<A, TelephonyError>) =>
    Effect.flatMap(ProviderRecordings, use).pipe(Effect.provide(layer({ baseUrl, ...options })))

describe("recordings kept by the provider", () => {
  it.live("are fetched byte for byte once the provider has finished them, and only by their account", () =>
    Effect.gen(function* () {
      const { network, sid, recording } = yield* provider
      const recordings = using(network.url)
      recording.ready = false
      const early = yield* Effect.flip(recordings(({ fetch }) => fetch(account, sid)))
      assert.strictEqual(early.status, 404)
      recording.ready = true
      assert.deepStrictEqual(Buffer.from(yield* recordings(({ fetch }) => fetch(account, sid))), wav)
      const stranger = { ...account, authToken: "wrong" }
      assert.strictEqual((yield* Effect.flip(recordings(({ fetch }) => fetch(stranger, sid)))).status, 401)
    }).pipe(Effect.scoped)
  )

  it.live("are not fetched when they are too large or come too slowly", () =>
    Effect.gen(function* () {
      const { network, sid } = yield* provider
      const large = yield* Effect.flip(using(network.url, { maxBytes: 4_999 })(({ fetch }) => fetch(account, sid)))
      assert.include(large.message, "larger than 4999 bytes")
      network.faults.hang = true
      const slow = yield* Effect.flip(
        using(network.url, { downloadTimeoutMs: 100 })(({ fetch }) => fetch(account, sid))
      )
      assert.include(slow.message, "within 100 ms")
    }).pipe(Effect.scoped)
  )

  it.live(
    "can be removed, also twice, as the vendor's description says, and the vendor's client then finds nothing",
    () =>
      Effect.gen(function* () {
        const { network, sid } = yield* provider
        const judged = yield* judge(network.url)
        const client = officialClient(judged.url, account)
        const found = yield* Effect.promise(() => client.recordings(sid).fetch())
        assert.deepInclude(found, { sid, status: "completed", duration: "3", source: "RecordVerb" })
        const recordings = using(judged.url)
        yield* recordings(({ remove }) => remove(account, sid))
        yield* recordings(({ remove }) => remove(account, sid))
        assert.deepStrictEqual(judged.problems, [])
        assert.strictEqual(network.provider.recordings.size, 0)
      }).pipe(Effect.scoped)
  )
})
