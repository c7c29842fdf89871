/** `/api/voice-phone-numbers` with real stores. The telephony provider is simulated and checks requests by its vendor's description. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { platformAccount } from "../../../../simulators/telephone/provider/Provider.ts"
import { PhoneNumbers, TelephonyConnections } from "../../../../src/domain/voice/telephony/PhoneNumber.ts"
import { tenant } from "../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { type ProvisioningWorld, provisioned } from "../../../support/provisioning.ts"
import { publicBaseUrl } from "../../world.ts"

const subaccounts = ({ provider }: ProvisioningWorld) =>
  [...provider.accounts.values()].filter(({ owner, sid }) => owner === platformAccount.accountSid && sid !== owner)

/** Moves the start of every purchase of the organization to eleven minutes ago, so that none can still be under way. */
const longAgo = ({ stores }: ProvisioningWorld, organizationId: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    tenant(organizationId)(sql`UPDATE phone_numbers SET created_at = created_at - interval '11 minutes'`)
  ).pipe(Effect.provide(stores), Effect.orDie)

const voiceUrl = `${publicBaseUrl}/api/webhooks/telephony/voice`

describe("for phone numbers over HTTP", () => {
  provisioned("a number is found, bought, answered by its agent at once, given to another one, and released", (world) =>
    Effect.gen(function* () {
      const acme = yield* world.tenant()
      const [first, second] = [yield* acme.agent, yield* acme.agent]
      const offers = yield* acme.call("GET", "/available?country=US&areaCode=617&contains=5550*02&limit=3")
      assert.strictEqual(offers.status, 200, JSON.stringify(offers.body))
      const [offer] = offers.body.data as Array<Record<string, unknown>>
      assert.deepStrictEqual(offer, {
        phoneNumber: "+16175550102",
        locality: null,
        region: null,
        country: "US",
        capabilities: { voice: true, sms: true, mms: true },
        addressRequired: false
      })
      assert.lengthOf(subaccounts(world), 0, "searching makes no account")

      const bought = yield* acme.call("POST", "", { phoneNumber: "+1 (617) 555-0102", agentId: first })
      assert.strictEqual(bought.status, 201, JSON.stringify(bought.body))
      assert.deepInclude(bought.body, {
        phoneNumber: "+16175550102",
        origin: "purchased",
        state: "active",
        agentId: first,
        capabilities: { voice: true, sms: true, mms: false }
      })
      assert.notProperty(bought.body, "sid")
      const [account] = subaccounts(world)
      assert.deepStrictEqual(world.provider.route("+16175550102"), {
        accountSid: account.sid,
        authToken: account.authToken,
        webhookUrl: voiceUrl,
        fallbackUrl: voiceUrl
      })
      assert.strictEqual(
        world.provider.numberOf("+16175550102")?.settings.get("StatusCallback"),
        `${publicBaseUrl}/api/webhooks/telephony/status`
      )
      const connection = yield* Effect.flatMap(TelephonyConnections, (all) => all.findByAccount(account.sid)).pipe(
        Effect.provide(world.stores)
      )
      assert.deepInclude(connection, { organizationId: acme.id, authToken: account.authToken })
      const answering = Effect.flatMap(PhoneNumbers, (all) => all.agentOf(acme.id, "+16175550102")).pipe(
        Effect.provide(world.stores)
      )
      assert.strictEqual(yield* answering, first)

      const path = `/${bought.body.id}`
      assert.deepInclude((yield* acme.call("PUT", path, { agentId: second })).body, { agentId: second })
      assert.strictEqual(yield* answering, second)
      assert.deepInclude((yield* acme.call("PUT", path, { agentId: null })).body, { agentId: null })
      assert.isUndefined(yield* answering)
      assert.deepStrictEqual((yield* acme.call("DELETE", path)).body, { id: bought.body.id, released: true })
      assert.isUndefined(world.provider.numberOf("+16175550102"))
      assert.strictEqual((yield* acme.call("GET", path)).status, 404)
      assert.deepStrictEqual((yield* acme.call("GET", "")).body, { data: [], page: 1, limit: 20, total: 0 })
    })
  )

  provisioned("one that is in the account already, or that comes by SIP, is taken over without being bought", (world) =>
    Effect.gen(function* () {
      const acme = yield* world.tenant()
      const missing = yield* acme.call("POST", "", { phoneNumber: "+14155550777", origin: "connected" })
      assert.strictEqual(missing.status, 404)
      assert.match(String(missing.body.error), /\+14155550777 is not in this organization's account/)
      const [account] = subaccounts(world)
      world.provider.addNumber(account.sid, "+14155550777")
      const connected = yield* acme.call("POST", "", { phoneNumber: "+14155550777", origin: "connected" })
      assert.deepInclude(connected.body, { origin: "connected", state: "active", agentId: null })
      assert.strictEqual(world.provider.route("+14155550777")?.webhookUrl, voiceUrl)

      const other = yield* world.tenant()
      const agentId = yield* other.agent
      const before = world.judged.exchanges.length
      const bySip = yield* other.call("POST", "", { phoneNumber: "+919812345678", origin: "sip", agentId })
      assert.deepInclude(bySip.body, { origin: "sip", agentId, capabilities: null })
      const claimed = yield* other.call("POST", "", { phoneNumber: "+14155550777", origin: "sip" })
      assert.strictEqual(claimed.status, 201, "naming somebody's number takes it from nobody")
      assert.strictEqual((yield* other.call("DELETE", `/${claimed.body.id}`)).status, 200)
      assert.strictEqual(world.judged.exchanges.length, before, "the provider knows nothing of these")
      assert.isDefined(world.provider.numberOf("+14155550777"))
    })
  )

  provisioned("two first purchases at once make one subaccount, and of one number one wins", (world) =>
    Effect.gen(function* () {
      const acme = yield* world.tenant()
      const buy = (phoneNumber: string) => acme.call("POST", "", { phoneNumber })
      const answers = yield* Effect.all([buy("+14155550100"), buy("+14155550101"), buy("+14155550101")], {
        concurrency: "unbounded"
      })
      const [, first, second] = answers
      // The later of two requests for one number is refused, or gets the number that the earlier one has bought meanwhile.
      if (first?.status === 201 && second?.status === 201) assert.strictEqual(first.body.id, second.body.id)
      else assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [201, 201, 409])
      assert.lengthOf(subaccounts(world), 1)
      assert.lengthOf([...world.provider.numbers.values()], 2)
      const listed = (yield* acme.call("GET", "?limit=1&page=2")).body
      assert.deepInclude(listed, { page: 2, limit: 1, total: 2 })
      const rival = yield* world.tenant()
      const taken = yield* rival.call("POST", "", { phoneNumber: "+14155550100" })
      assert.strictEqual(taken.status, 409)
      assert.match(String(taken.body.error), /belongs to another organization/)
    })
  )

  provisioned(
    "a purchase whose answer is lost is paid for once and shown, and a repeated request finishes it with its agent",
    (world) =>
      Effect.gen(function* () {
        const acme = yield* world.tenant()
        const agentId = yield* acme.agent
        yield* acme.call("POST", "", { phoneNumber: "+14155550100" })
        world.network.faults.restFault = (method, path) =>
          method === "POST" && path.includes("IncomingPhoneNumbers") ? "lose" : undefined
        const lost = yield* acme.call("POST", "", { phoneNumber: "+14155550101", agentId })
        assert.strictEqual(lost.status, 500)
        assert.match(String(lost.body.error), /did not do it, or did not say so/)
        assert.isDefined(world.provider.numberOf("+14155550101"))
        const shown = (yield* acme.call("GET", "")).body.data as Array<Record<string, unknown>>
        assert.deepInclude(shown[0], { phoneNumber: "+14155550101", state: "pending", agentId: null })
        world.network.faults.restFault = null
        const again = yield* acme.call("POST", "", { phoneNumber: "+14155550101", agentId })
        assert.strictEqual(again.status, 201, JSON.stringify(again.body))
        assert.deepInclude(again.body, { id: shown[0].id, state: "active", agentId })
        assert.lengthOf([...world.provider.numbers.values()], 2)
      })
  )

  provisioned("a purchase that the provider is slow with is never lost, whatever is asked for meanwhile", (world) =>
    Effect.gen(function* () {
      const acme = yield* world.tenant()
      yield* acme.call("POST", "", { phoneNumber: "+14155550100" })
      const [account] = subaccounts(world)
      const posted = (path: string) => path.includes("IncomingPhoneNumbers")
      const slow = (method: string, path: string) => (method === "POST" && posted(path) ? "refuse" : undefined)
      const states = Effect.map(acme.call("GET", ""), ({ body }) =>
        (body.data as Array<Record<string, unknown>>).map(({ phoneNumber, state }) => [phoneNumber, state])
      )
      const bought = ["+14155550100", "active"]

      // The second request runs beside the first, which finishes a moment earlier.
      world.network.faults.restFault = slow
      assert.strictEqual((yield* acme.call("POST", "", { phoneNumber: "+14155550101" })).status, 500)
      world.network.faults.restFault = (method, path) => {
        if (method === "POST" && path.endsWith("/IncomingPhoneNumbers.json"))
          world.provider.addNumber(account.sid, "+14155550101")
        return undefined
      }
      const again = yield* acme.call("POST", "", { phoneNumber: "+14155550101" })
      assert.strictEqual(again.status, 201, JSON.stringify(again.body))
      assert.strictEqual(world.provider.numberOf("+14155550101")?.settings.get("VoiceUrl"), voiceUrl)
      assert.deepStrictEqual(yield* states, [["+14155550101", "active"], bought])

      // The number is sold, but the list of numbers does not show the buyer yet. Another change comes between.
      world.network.faults.restFault = slow
      assert.strictEqual((yield* acme.call("POST", "", { phoneNumber: "+14155550102" })).status, 500)
      world.network.faults.restFault = null
      const hidden = world.provider.addNumber(platformAccount.accountSid, "+14155550102")
      const refused = yield* acme.call("POST", "", { phoneNumber: "+14155550102" })
      assert.strictEqual(refused.status, 500)
      assert.match(String(refused.body.error), /may still be buying \+14155550102/)
      yield* acme.call("DELETE", `/${again.body.id}`)
      assert.deepStrictEqual(yield* states, [["+14155550102", "pending"], bought])
      world.provider.numbers.delete(hidden.sid)
      world.provider.addNumber(account.sid, "+14155550102")
      assert.strictEqual((yield* acme.call("POST", "", { phoneNumber: "+14155550102" })).status, 201)

      // Released before it was delivered.
      world.network.faults.restFault = slow
      assert.strictEqual((yield* acme.call("POST", "", { phoneNumber: "+14155550103" })).status, 500)
      world.network.faults.restFault = null
      const [{ id }] = (yield* acme.call("GET", "")).body.data as Array<Record<string, unknown>>
      assert.strictEqual((yield* acme.call("DELETE", `/${id}`)).status, 500)
      world.provider.addNumber(account.sid, "+14155550103")
      assert.strictEqual((yield* acme.call("DELETE", `/${id}`)).status, 200)
      assert.isUndefined(world.provider.numberOf("+14155550103"))
    })
  )

  provisioned("a failed purchase is forgotten after ten minutes, and a new request then gives the reason", (world) =>
    Effect.gen(function* () {
      const acme = yield* world.tenant()
      const rival = yield* world.tenant()
      yield* rival.call("POST", "", { phoneNumber: "+14155550100" })
      const [account] = subaccounts(world)
      yield* acme.call("POST", "", { phoneNumber: "+14155550102" })
      world.network.faults.restFault = (method, path) =>
        method === "POST" && path.includes("IncomingPhoneNumbers") ? "refuse" : undefined
      assert.strictEqual((yield* acme.call("POST", "", { phoneNumber: "+14155550103" })).status, 500)
      world.network.faults.restFault = null
      world.provider.addNumber(account.sid, "+14155550103")
      yield* longAgo(world, acme.id)
      const refused = yield* acme.call("POST", "", { phoneNumber: "+14155550103" })
      assert.strictEqual(refused.status, 409, JSON.stringify(refused.body))
      const listed = (yield* acme.call("GET", "")).body.data as Array<Record<string, unknown>>
      assert.deepStrictEqual(
        listed.map(({ phoneNumber }) => phoneNumber),
        ["+14155550102"]
      )
    })
  )

  provisioned(
    "the next change settles what a dead process left behind: a number bought, never bought or half released",
    (world) =>
      Effect.gen(function* () {
        const acme = yield* world.tenant()
        yield* acme.call("POST", "", { phoneNumber: "+14155550100" })
        const [account] = subaccounts(world)
        const bought = world.provider.addNumber(account.sid, "+14155550101")
        const releasing = world.provider.addNumber(account.sid, "+14155550103")
        yield* Effect.gen(function* () {
          const numbers = yield* PhoneNumbers
          const left = { origin: "purchased", capabilities: null } as const
          yield* numbers.add(acme.id, { ...left, phoneNumber: "+14155550101", state: "pending", sid: null })
          yield* numbers.add(acme.id, { ...left, phoneNumber: "+14155550102", state: "pending", sid: null })
          yield* numbers.add(acme.id, { ...left, phoneNumber: "+14155550103", state: "releasing", sid: releasing.sid })
        }).pipe(Effect.provide(world.stores), Effect.orDie)
        yield* longAgo(world, acme.id)
        yield* acme.call("POST", "", { phoneNumber: "+14155550104" })
        const listed = (yield* acme.call("GET", "")).body.data as Array<Record<string, unknown>>
        assert.deepStrictEqual(
          listed.map(({ phoneNumber, state }) => [phoneNumber, state]),
          ["+14155550104", "+14155550101", "+14155550100"].map((phone) => [phone, "active"])
        )
        assert.strictEqual(world.provider.numberOf("+14155550101")?.sid, bought.sid)
        assert.isUndefined(world.provider.numberOf("+14155550103"))
      })
  )

  provisioned(
    "a release that the provider does not answer routes no more calls and is finished by the next change",
    (world) =>
      Effect.gen(function* () {
        const acme = yield* world.tenant()
        const agentId = yield* acme.agent
        const { body } = yield* acme.call("POST", "", { phoneNumber: "+14155550100", agentId })
        world.network.faults.restFault = (method) => (method === "DELETE" ? "refuse" : undefined)
        assert.strictEqual((yield* acme.call("DELETE", `/${body.id}`)).status, 500)
        assert.deepInclude((yield* acme.call("GET", `/${body.id}`)).body, { state: "releasing", agentId: null })
        assert.strictEqual((yield* acme.call("PUT", `/${body.id}`, { agentId })).status, 409)
        world.network.faults.restFault = null
        assert.strictEqual((yield* acme.call("DELETE", `/${body.id}`)).status, 200)
        assert.isUndefined(world.provider.numberOf("+14155550100"))
      })
  )

  provisioned("refusals say what is wrong, and leave nothing behind", (world) =>
    Effect.gen(function* () {
      const acme = yield* world.tenant()
      const buy = (body: unknown) => acme.call("POST", "", body)
      const says = (answer: { status: number; body: Record<string, unknown> }, status: number, sentence: RegExp) => {
        assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
        assert.match(String(answer.body.error), sentence)
        assert.deepStrictEqual(Object.keys(answer.body), ["error"])
      }
      says(yield* buy({ phoneNumber: "555" }), 400, /country code/)
      says(yield* buy({ phoneNumber: "+919812345678" }), 409, /not available/)
      says(yield* buy({ phoneNumber: "+442079460100" }), 400, /Requires an Address/)
      says(yield* buy({ phoneNumber: "+14155550100", agentId: "agt_x" }), 404, /no such voice agent/)
      says(yield* buy({ phoneNumber: "+14155550100", origin: "stolen" }), 400, /origin/)
      says(yield* acme.call("GET", "/available?country=usa"), 400, /country/)
      assert.deepStrictEqual((yield* acme.call("GET", "/available?country=IN")).body, { data: [] })
      assert.strictEqual((yield* acme.call("GET", "")).body.total, 0)
      const [account] = subaccounts(world)
      account.status = "closed"
      says(yield* buy({ phoneNumber: "+14155550100" }), 500, /does not let us into the account/)
      assert.strictEqual((yield* acme.call("GET", "")).body.total, 0)
    })
  )

  provisioned(
    "plan, flag and scopes are checked first, releasing is possible on any plan, and another tenant's number is not found",
    (world) =>
      Effect.gen(function* () {
        const small = yield* world.tenant(undefined, { plan: "PRO" })
        for (const answer of [
          yield* small.call("GET", "/available?country=US"),
          yield* small.call("POST", "", { phoneNumber: "+14155550100" })
        ]) {
          assert.strictEqual(answer.status, 403)
          assert.match(String(answer.body.error), /Premium or Enterprise/)
        }
        const reader = yield* world.tenant(["voice:read"])
        assert.match(String((yield* reader.call("POST", "", { phoneNumber: "+1" })).body.error), /voice:write/)
        assert.strictEqual((yield* reader.call("GET", "")).status, 200)
        const stored = yield* Effect.flatMap(PhoneNumbers, (numbers) =>
          numbers.add(small.id, {
            phoneNumber: "+14155550100",
            origin: "sip",
            state: "active",
            sid: null,
            capabilities: null
          })
        ).pipe(Effect.provide(world.stores), Effect.orDie)
        const stranger = yield* world.tenant()
        for (const [method, body] of [["GET"], ["PUT", { agentId: null }], ["DELETE"]] as const)
          assert.strictEqual((yield* stranger.call(method, `/${stored.id}`, body)).status, 404, method)
        const theirs = yield* stranger.agent
        const acme = yield* world.tenant()
        const { body: mine } = yield* acme.call("POST", "", { phoneNumber: "+14155550101" })
        assert.strictEqual((yield* acme.call("PUT", `/${mine.id}`, { agentId: theirs })).status, 404)
        assert.strictEqual((yield* small.call("DELETE", `/${stored.id}`)).status, 200)
      })
  )
})
