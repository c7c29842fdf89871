/** Answers of Twilio's REST interface: which shapes the adapters accept, and what they do with other shapes. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer } from "effect"
import { listen, readBody, sendJson } from "../../../simulators/support/Loopback.ts"
import { ProviderCalls } from "../../../src/domain/voice/calls/outbound/ProviderCalls.ts"
import { Provisioning } from "../../../src/domain/voice/telephony/Provisioning.ts"
import type { TelephonyAccount } from "../../../src/domain/voice/telephony/Telephony.ts"
import * as TwilioCalls from "../../../src/integrations/telephony/TwilioCalls.ts"
import * as TwilioProvisioning from "../../../src/integrations/telephony/TwilioProvisioning.ts"

const account: TelephonyAccount = { accountSid: `AC${"0".repeat(32)}`, authToken: "12345abcde" }

/** The adapters, connected to a provider that answers every request with the status and the document. */
const answering = Effect.fnUntraced(function* (document: unknown, status = 200) {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() =>
      listen(async (request, response) => {
        await readBody(request)
        sendJson(response, status, document)
      })
    ),
    ({ close }) => Effect.promise(close)
  )
  const options = { baseUrl: server.url, timeoutMs: 2_000 }
  const urls = { voiceUrl: "https://us.example/voice", statusCallbackUrl: "https://us.example/status" }
  const services = yield* Layer.build(
    Layer.merge(
      TwilioCalls.layer(options),
      TwilioProvisioning.layer({ ...options, ...urls, platform: account, sipHost: "sip.twilio.com" })
    )
  )
  const calls = yield* ProviderCalls.pipe(Effect.provide(services))
  const provisioning = yield* Provisioning.pipe(Effect.provide(services))
  const offers = provisioning.searchNumbers(account, { country: "US", type: "local", capabilities: [], limit: 3 })
  return { calls, provisioning, offers }
})

const offer = { phone_number: "+16175550102", iso_country: "US", capabilities: { voice: true, SMS: true, mms: null } }
const taken = {
  phoneNumber: "+16175550102",
  country: "US",
  capabilities: { voice: true, sms: true, mms: false }
}

describe("in Twilio's answers", () => {
  it.live("a call may come without dates and duration, and with unknown fields", () =>
    Effect.gen(function* () {
      const { calls } = yield* answering({ sid: "CA1", status: "queued", duration: null, price_unit: "USD" })
      assert.deepStrictEqual(yield* calls.fetch(account, "CA1"), {
        callSid: "CA1",
        status: "queued",
        createdAt: null,
        endedAt: null,
        durationSeconds: null
      })
    })
  )

  it.live("a call of another shape is an error that says so", () =>
    Effect.gen(function* () {
      for (const document of [
        {},
        [],
        { sid: "", status: "queued" },
        { sid: "CA1", status: 7 },
        { sid: "CA1", status: "queued", duration: 15 }
      ]) {
        const { calls } = yield* answering(document)
        assert.deepInclude(
          yield* Effect.flip(calls.fetch(account, "CA1")),
          { status: null, code: null, message: "the answer is not the document it should be" },
          JSON.stringify(document)
        )
      }
    })
  )

  it.live(
    "a refusal is reported with its code and message, or only its status when its document has another shape",
    () =>
      Effect.gen(function* () {
        const refused = yield* answering({ code: 20404, message: "Not found", status: 404 }, 404)
        assert.deepInclude(yield* Effect.flip(refused.calls.fetch(account, "CA1")), {
          code: 20404,
          message: "Not found"
        })
        const other = yield* answering({ code: "20404", message: "Not found" }, 404)
        assert.deepInclude(yield* Effect.flip(other.calls.fetch(account, "CA1")), {
          status: 404,
          code: null,
          message: "status 404 without an error document"
        })
      })
  )

  it.live("a number may be offered without a place, with capabilities in capitals or null", () =>
    Effect.gen(function* () {
      const plain = yield* answering({ available_phone_numbers: [offer] })
      const none = { locality: null, region: null, addressRequired: false }
      assert.deepStrictEqual(yield* plain.offers, [{ ...taken, ...none }])
      const place = { locality: "Boston", region: null, address_requirements: "any" }
      const full = yield* answering({ available_phone_numbers: [{ ...offer, ...place }] })
      assert.deepStrictEqual(yield* full.offers, [
        { ...taken, locality: "Boston", region: null, addressRequired: true }
      ])
    })
  )

  it.live("numbers, accounts and SIP lists of another shape are defects, which do not show the provider's values", () =>
    Effect.gen(function* () {
      const wrong = { available_phone_numbers: [{ ...offer, capabilities: { voice: "yes" } }] }
      const secret = { accounts: [{ sid: 7, auth_token: "top-secret" }], credential_lists: [{ sid: "top-secret" }] }
      const { offers } = yield* answering(wrong)
      const { provisioning } = yield* answering(secret)
      for (const work of [
        offers,
        provisioning.ensureAccount("Acme"),
        provisioning.findNumber(account, "+16175550102"),
        provisioning.removeSipCredentials(account, "list", "desk")
      ]) {
        const exit = yield* Effect.exit(Effect.asVoid(work))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        if (Exit.isFailure(exit)) assert.notInclude(Cause.pretty(exit.cause), "top-secret")
      }
    })
  )
})
