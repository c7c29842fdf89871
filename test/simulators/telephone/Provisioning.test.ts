/** The simulated provider, asked by the vendor's own client and judged by the vendor's own description. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { platformAccount } from "../../../simulators/telephone/provider/Provider.ts"
import { start } from "../../../simulators/telephone/TelephoneNetwork.ts"
import { officialClient } from "../../contract/officialTwilio.ts"
import { judge } from "../../contract/Twilio.ts"
import { accountSid, authToken, webhookUrl } from "./support.ts"

const provider = Effect.gen(function* () {
  const network = yield* Effect.acquireRelease(
    Effect.promise(() => start({ accountSid, authToken, webhookUrl })),
    ({ close }) => Effect.promise(close)
  )
  const judged = yield* judge(network.url)
  const subaccount = Effect.promise(async () => {
    const made = await officialClient(judged.url, platformAccount).api.v2010.accounts.create({ friendlyName: "Acme" })
    return { made, client: officialClient(judged.url, { accountSid: made.sid, authToken: made.authToken }) }
  })
  return { network, judged, subaccount }
})

/** Code and status of the provider's refusal. */
const refusal = async (asked: Promise<unknown>) => {
  const error = await asked.then(
    () => assert.fail("the provider did not refuse"),
    (cause) => cause
  )
  return [error.status, error.code]
}

describe("the telephony provider's REST interface", () => {
  it.live("makes, finds and closes subaccounts, which the platform may act for and others may not", () =>
    Effect.gen(function* () {
      const { judged, subaccount } = yield* provider
      const { made } = yield* subaccount
      yield* Effect.promise(async () => {
        assert.deepInclude(made, {
          friendlyName: "Acme",
          status: "active",
          ownerAccountSid: platformAccount.accountSid
        })
        const platform = officialClient(judged.url, platformAccount)
        const found = await platform.api.v2010.accounts.list({ friendlyName: "Acme", status: "active" })
        assert.deepStrictEqual(
          found.map(({ sid, authToken }) => [sid, authToken]),
          [[made.sid, made.authToken]]
        )
        const acting = officialClient(judged.url, platformAccount, made.sid)
        assert.deepStrictEqual(await acting.incomingPhoneNumbers.list(), [])
        const stranger = officialClient(judged.url, { accountSid, authToken }, made.sid)
        assert.deepStrictEqual(await refusal(stranger.incomingPhoneNumbers.list()), [401, 20003])
        await platform.api.v2010.accounts(made.sid).update({ status: "closed" })
        assert.deepStrictEqual(await refusal(acting.incomingPhoneNumbers.list()), [401, 20003])
      })
      assert.deepStrictEqual(judged.problems, [])
    }).pipe(Effect.scoped)
  )

  it.live("sells numbers once, routes calls to their webhook, and takes them back", () =>
    Effect.gen(function* () {
      const { network, judged, subaccount } = yield* provider
      const { made, client } = yield* subaccount
      yield* Effect.promise(async () => {
        const [offer] = await client
          .availablePhoneNumbers("US")
          .local.list({ areaCode: 617, contains: "55501", limit: 1 })
        assert.match(offer.phoneNumber, /^\+161755501/)
        assert.isTrue(offer.capabilities.voice)
        const bought = await client.incomingPhoneNumbers.create({
          phoneNumber: offer.phoneNumber,
          voiceUrl: webhookUrl,
          voiceFallbackUrl: webhookUrl
        })
        assert.deepStrictEqual(network.provider.route(offer.phoneNumber), {
          accountSid: made.sid,
          authToken: made.authToken,
          webhookUrl,
          fallbackUrl: webhookUrl
        })
        const again = client.incomingPhoneNumbers.create({ phoneNumber: offer.phoneNumber })
        assert.deepStrictEqual(await refusal(again), [400, 21422])
        const left = await client.availablePhoneNumbers("US").local.list({ areaCode: 617 })
        assert.notInclude(
          left.map(({ phoneNumber }) => phoneNumber),
          offer.phoneNumber
        )
        const elsewhere = `${webhookUrl}&v=2`
        await client.incomingPhoneNumbers(bought.sid).update({ voiceUrl: elsewhere, voiceMethod: "POST" })
        const [found] = await client.incomingPhoneNumbers.list({ phoneNumber: offer.phoneNumber })
        assert.deepInclude(found, { sid: bought.sid, voiceUrl: elsewhere })
        assert.isTrue(await client.incomingPhoneNumbers(bought.sid).remove())
        assert.deepStrictEqual(await refusal(client.incomingPhoneNumbers(bought.sid).remove()), [404, 20404])
        assert.isUndefined(network.provider.route(offer.phoneNumber))
      })
      assert.deepStrictEqual(judged.problems, [])
    }).pipe(Effect.scoped)
  )

  it.live("refuses what it does not sell: countries, malformed numbers, numbers that need an address", () =>
    Effect.gen(function* () {
      const { judged, subaccount } = yield* provider
      const { client } = yield* subaccount
      yield* Effect.promise(async () => {
        assert.deepStrictEqual(await refusal(client.availablePhoneNumbers("IN").local.list()), [404, 20404])
        const buy = (phoneNumber: string) => refusal(client.incomingPhoneNumbers.create({ phoneNumber }))
        assert.deepStrictEqual(await buy("555"), [400, 21421])
        assert.deepStrictEqual(await buy("+919812345678"), [400, 21422])
        assert.deepStrictEqual(await buy("+442079460100"), [400, 21631])
        assert.lengthOf(await client.availablePhoneNumbers("GB").mobile.list({ smsEnabled: true, limit: 3 }), 3)
      })
      assert.deepStrictEqual(judged.problems, [])
    }).pipe(Effect.scoped)
  )

  it.live("admits users to a SIP domain as long as they are in a list that is mapped to it", () =>
    Effect.gen(function* () {
      const { network, judged, subaccount } = yield* provider
      const { client } = yield* subaccount
      const domainName = "k-acme.sip.twilio.com"
      const address = `sip:+14155550123@${domainName};transport=tls`
      const given = { username: "carrier", password: "Correct-horse-1" }
      yield* Effect.promise(async () => {
        const { domains, credentialLists } = client.sip
        const domain = await domains.create({ domainName, voiceUrl: webhookUrl, sipRegistration: true })
        assert.deepStrictEqual(await refusal(domains.create({ domainName })), [400, 21232])
        const list = await credentialLists.create({ friendlyName: "Acme" })
        const weak = credentialLists(list.sid).credentials.create({ username: "carrier", password: "short" })
        assert.deepStrictEqual(await refusal(weak), [400, 21237])
        const credential = await credentialLists(list.sid).credentials.create(given)
        assert.isFalse(network.provider.admits(address, "Calls", given), "before the mapping")
        await domains(domain.sid).auth.calls.credentialListMappings.create({ credentialListSid: list.sid })
        await domains(domain.sid).auth.registrations.credentialListMappings.create({ credentialListSid: list.sid })
        const mapped = await domains(domain.sid).auth.registrations.credentialListMappings.list()
        assert.deepStrictEqual(
          mapped.map(({ sid }) => sid),
          [list.sid]
        )
        for (const use of ["Calls", "Registrations"] as const)
          assert.isTrue(network.provider.admits(address, use, given), use)
        assert.strictEqual(network.provider.route(address)?.webhookUrl, webhookUrl)
        await credentialLists(list.sid).credentials(credential.sid).update({ password: "Another-horse-2" })
        assert.isFalse(network.provider.admits(address, "Calls", given), "with the earlier password")
        assert.isTrue(network.provider.admits(address, "Calls", { ...given, password: "Another-horse-2" }))
        await credentialLists(list.sid).credentials(credential.sid).remove()
        assert.isFalse(network.provider.admits(address, "Calls", { ...given, password: "Another-horse-2" }))
        assert.lengthOf(await domains.list(), 1)
      })
      assert.deepStrictEqual(judged.problems, [])
    }).pipe(Effect.scoped)
  )

  it.live("refuses the requests that a test picks, or carries them out without an answer", () =>
    Effect.gen(function* () {
      const { network, judged, subaccount } = yield* provider
      const { client } = yield* subaccount
      yield* Effect.promise(async () => {
        const buy = () => client.incomingPhoneNumbers.create({ phoneNumber: "+14155550100" })
        network.faults.restFault = (method, path) =>
          method === "POST" && path.includes("IncomingPhoneNumbers") ? "refuse" : undefined
        assert.deepStrictEqual(await refusal(buy()), [503, 20500])
        assert.isUndefined(network.provider.numberOf("+14155550100"))
        network.faults.restFault = (method) => (method === "POST" ? "lose" : undefined)
        await buy().then(
          () => assert.fail("an answer came"),
          () => undefined
        )
        assert.isDefined(network.provider.numberOf("+14155550100"))
      })
      assert.deepStrictEqual(judged.problems, [])
    }).pipe(Effect.scoped)
  )
})
