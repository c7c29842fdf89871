import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Clock, Console, Effect, Exit, Layer } from "effect"
import { Command } from "effect/cli"
import { SqlClient } from "effect/sql"
import { start as startChannel } from "../../../simulators/channel/CloudApi.ts"
import { platformAccount } from "../../../simulators/telephone/provider/Provider.ts"
import { start } from "../../../simulators/telephone/TelephoneNetwork.ts"
import { simulatorNumber } from "../../../simulators/World.ts"
import { admin } from "../../../src/cli/admin/admin.ts"
import { Operators } from "../../../src/domain/operators/Operator.ts"
import { ApiKeys } from "../../../src/domain/people/access/ApiKey.ts"
import { Audit } from "../../../src/domain/people/access/Audit.ts"
import { Users } from "../../../src/domain/people/access/User.ts"
import { Organizations } from "../../../src/domain/people/organizations/Organization.ts"
import { VoiceAgents } from "../../../src/domain/voice/agents/VoiceAgent.ts"
import { Calls } from "../../../src/domain/voice/calls/records/CallRecord.ts"
import { Transfers } from "../../../src/domain/voice/calls/records/Transfer.ts"
import { PhoneNumbers, TelephonyConnections } from "../../../src/domain/voice/telephony/PhoneNumber.ts"
import * as CloudApiLayers from "../../../src/integrations/channel/CloudApiLayers.ts"
import * as StoredMedia from "../../../src/integrations/media/StoredMedia.ts"
import { tenant } from "../../../src/integrations/postgres/tenancy/Tenant.ts"
import * as TwilioProvisioning from "../../../src/integrations/telephony/TwilioProvisioning.ts"
import { answered, desk, destination, ended, FakeEngineClient, said } from "../../support/escalation.ts"
import { FakeObjects } from "../../support/objects.ts"
import { agentOf, newOrganization, testStores } from "../../support/tenants.ts"

const run = Command.runWith(admin, { version: "test" })

/** What `parley admin …` prints. Fails as the command fails. */
const printed = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const lines: Array<string> = []
  const silent = { ...globalThis.console, log: (line: string) => lines.push(line), error: () => undefined }
  yield* run(args).pipe(Effect.provideService(Console.Console, silent))
  return lines.join("\n")
})

const object = (...args: ReadonlyArray<string>) => Effect.map(printed(...args, "--json"), (text) => JSON.parse(text))

/** The actions in the audit log, newest first, and who did them. */
const audited = Effect.fnUntraced(function* (organizationId: string) {
  const { data } = yield* (yield* Audit).list(organizationId, {}, 1, 100)
  for (const { actor } of data) assert.deepStrictEqual(actor, { type: "operator", id: null })
  return data.map(({ action, subjectId, before, after }) => ({ action, subjectId, before, after }))
})

const refusal = (...args: ReadonlyArray<string>) =>
  Effect.map(Effect.flip(printed(...args)), (error) => (error instanceof Error ? error.message : String(error)))

/** The simulated provider, with numbers for sale. */
const provisioning = Layer.unwrap(
  Effect.acquireRelease(
    Effect.promise(() =>
      start({ accountSid: `AC${"0".repeat(32)}`, authToken: "not used", webhookUrl: "http://not.used" })
    ),
    (network) => Effect.promise(() => network.close())
  ).pipe(
    Effect.map(({ url }) =>
      TwilioProvisioning.layer({
        baseUrl: url,
        platform: platformAccount,
        voiceUrl: "https://app.example.test/api/webhooks/telephony/voice",
        statusCallbackUrl: "https://app.example.test/api/webhooks/telephony/status",
        sipHost: "sip.twilio.com"
      })
    )
  )
)

/** The simulated messaging channel, with one number. */
const messaging = Layer.unwrap(
  Effect.acquireRelease(
    Effect.promise(() => startChannel()),
    (channel) => Effect.promise(() => channel.close())
  ).pipe(
    Effect.map((channel) => {
      channel.accounts.addNumber(simulatorNumber)
      return CloudApiLayers.layerSetup({ baseUrl: channel.url, version: "v23.0" })
    })
  )
)

const objects = new FakeObjects()

const services = StoredMedia.layer({ folder: join(tmpdir(), "parley-no-uploads") }).pipe(
  Layer.provideMerge(testStores),
  Layer.provideMerge(
    Layer.mergeAll(NodeServices.layer, provisioning, messaging, objects.layer, new FakeEngineClient().layer)
  )
)

layer(services)("parley admin", (it) => {
  it.effect("creates an organization with a plan, a time zone and its flags", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const made = yield* object(
        "create-organization",
        "--name",
        "Acme",
        "--plan",
        "ENTERPRISE",
        "--time-zone",
        "Asia/Kolkata",
        "--voice-agents"
      )
      const found = yield* organizations.find(made.id)
      assert.deepInclude(found, { name: "Acme", plan: "ENTERPRISE", timeZone: "Asia/Kolkata" })
      assert.deepStrictEqual(found?.flags, { voiceAgents: true, voicePremium: false })
      const [created] = yield* audited(made.id)
      assert.deepInclude(created, { action: "organization.created", subjectId: made.id, before: null })
      assert.deepInclude(created.after, { name: "Acme", plan: "ENTERPRISE", timeZone: "Asia/Kolkata" })
      const plain = yield* object("create-organization", "--name", "Beta", "--plan", "PREMIUM", "--no-voice-agents")
      assert.isFalse(plain.flags.voiceAgents)
    })
  )

  it.effect("adds operators, changes their passwords and removes them, and refuses weak passwords", () =>
    Effect.gen(function* () {
      const operators = yield* Operators
      const email = "noor@parley.example"
      const add = (password: string) => ["operators", "add", "--email", email, "--name", "Noor", "--password", password]
      assert.match(yield* refusal(...add("short")), /needs at least/)
      assert.match(yield* refusal(...add("noor@parley1")), /The password is invalid/)
      const made = yield* object(...add("seven quiet harbours"))
      assert.match(made.id, /^opr_/)
      assert.match(yield* refusal(...add("seven quiet harbours")), /signs in with noor@parley.example already/)
      assert.deepInclude(yield* object("operators", "list"), { operators: yield* operators.list })
      yield* object("operators", "set-password", "--email", email, "--password", "nine other harbours")
      assert.isUndefined(yield* operators.verify(email, "seven quiet harbours"))
      assert.strictEqual((yield* operators.verify(email, "nine other harbours"))?.operator.id, made.id)
      yield* object("operators", "remove", "--email", email)
      assert.isUndefined(yield* operators.verify(email, "nine other harbours"))
      assert.match(yield* refusal("operators", "remove", "--email", email), /No operator signs in/)
    })
  )

  it.effect("says what is wrong with a plan, a time zone or an organization that does not exist", () =>
    Effect.gen(function* () {
      assert.match(
        yield* refusal("create-organization", "--name", "A", "--plan", "PRO", "--time-zone", "Mars"),
        /Mars is not a time zone/
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(printed("create-organization", "--name", "A", "--plan", "GOLD"))))
      assert.match(yield* refusal("create-api-key", "--organization", "org_x", "--name", "k"), /no organization org_x/)
    })
  )

  it.effect("sets the disclosure with which every call of every agent begins, and refuses an empty one", () =>
    Effect.gen(function* () {
      const [organizations, agents, audit] = [yield* Organizations, yield* VoiceAgents, yield* Audit]
      const [{ id }, other] = [yield* newOrganization(), yield* newOrganization()]
      yield* agents.create(agentOf(id))
      yield* agents.create(agentOf(other.id))
      const set = (text: string) => ["set-disclosure", "--organization", id, "--text", text]
      const made = yield* object(...set(" A machine speaks. "))
      assert.deepInclude(made, { text: "A machine speaks.", agents: 1, notSynthesizedAhead: 0 })
      assert.strictEqual((yield* organizations.find(id))?.disclosureText, "A machine speaks.")
      assert.deepStrictEqual(yield* organizations.find(other.id), other)
      const { data } = yield* audit.list(id, { action: "organization.disclosure_changed" }, 1, 10)
      assert.deepStrictEqual(
        data.map(({ actor, after }) => [actor.type, after]),
        [["operator", { disclosureText: "A machine speaks." }]]
      )
      assert.match(yield* refusal(...set("  ")), /cannot be switched off/)
      assert.match(
        yield* refusal("create-organization", "--name", "A", "--plan", "PREMIUM", "--disclosure", "."),
        /cannot be switched off/
      )
    })
  )

  it.effect("sets business hours as a person writes them, shows them, and takes the limit away again", () =>
    Effect.gen(function* () {
      const { id } = yield* newOrganization()
      const command = ["business-hours", "--organization", id]
      const week = ["--open", "mon-fri 09:00-12:00 13:00-17:00", "--open", "fri-sat 22:00-02:00"]
      const set = yield* object(...command, "--time-zone", "Europe/Berlin", ...week, "--holiday", "2026-12-25 closed")
      const found = yield* Effect.flatMap(Organizations, (organizations) => organizations.find(id))
      assert.strictEqual(found?.timeZone, "Europe/Berlin")
      assert.deepStrictEqual(set.businessHours, found?.businessHours)
      assert.deepStrictEqual(
        found?.businessHours?.weekly.filter(({ day }) => day === "friday" || day === "saturday"),
        [
          { day: "friday", opens: "09:00", closes: "12:00" },
          { day: "friday", opens: "13:00", closes: "17:00" },
          { day: "friday", opens: "22:00", closes: "02:00" },
          { day: "saturday", opens: "22:00", closes: "02:00" }
        ]
      )
      assert.deepStrictEqual(found?.businessHours?.holidays, [{ date: "2026-12-25", hours: [] }])
      assert.deepInclude(yield* object(...command), { businessHours: set.businessHours })
      assert.match(
        yield* refusal(...command, "--open", "someday 09:00-17:00"),
        /"someday 09:00-17:00" is not understood/
      )
      assert.match(yield* refusal(...command, "--open", "mon 9-17"), /"9" is not a time of day/)
      assert.match(yield* refusal(...command, "--holiday", "christmas"), /"christmas" is not a date/)
      assert.deepInclude(yield* object(...command, "--always"), { businessHours: null, open: true })
    })
  )

  it.effect("creates a key that works, with the scopes asked for, and refuses an expiry in the past", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* newOrganization()
      const key = ["create-api-key", "--organization", id, "--name", "k"]
      const made = yield* object(...key, "--scope", "voice:read", "--scope", "admin", "--expires", "2099-01-31")
      assert.deepStrictEqual((yield* keys.authenticate(made.key))?.scopes, ["voice:read", "admin"])
      assert.strictEqual(made.expiresAt, "2099-01-31T00:00:00.000Z")
      const text = yield* printed(...key)
      assert.match(text, /^key +mk_\w{8}_\w{32}$/m)
      assert.match(yield* refusal(...key, "--expires", "1960-01-01"), /--expires must lie in the future/)
      const [, created] = yield* audited(id)
      assert.deepInclude(created.after, {
        name: "k",
        prefix: made.key.slice(0, 11),
        scopes: ["voice:read", "admin"],
        expiresAt: made.expiresAt
      })
    })
  )

  it.effect("creates a person once, and refuses a short password", () =>
    Effect.gen(function* () {
      const { id } = yield* newOrganization()
      const person = [
        "create-user",
        "--organization",
        id,
        "--email",
        "grace@example.com",
        "--name",
        "Grace",
        "--role",
        "ADMIN"
      ]
      assert.match(yield* refusal(...person, "--password", "short"), /at least 10 characters/)
      // Ten UTF-16 code units, but five characters.
      assert.match(yield* refusal(...person, "--password", "🔑🔑🔑🔑🔑"), /at least 10 characters/)
      const elsewhere = person.map((word) => (word === "grace@example.com" ? "grace@example" : word))
      assert.match(yield* refusal(...elsewhere, "--password", "long enough"), /grace@example is not an e-mail address/)
      const made = yield* object(...person, "--password", "long enough")
      assert.match(made.id, /^usr_/)
      assert.notInclude(JSON.stringify(made), "long enough")
      assert.match(
        yield* refusal(...person, "--password", "long enough"),
        /has a person with the address grace@example.com already/
      )
    })
  )

  it.effect("gives a person a new password, revokes a key, and leaves both in the audit log as the operator's", () =>
    Effect.gen(function* () {
      const [users, keys, audit] = [yield* Users, yield* ApiKeys, yield* Audit]
      const { id: organizationId } = yield* newOrganization()
      const [email, before] = [`${organizationId}@example.com`, "correct horse"]
      yield* users.create({
        organizationId,
        email,
        name: "Ada",
        role: "OWNER",
        passwordHash: yield* users.hash(before, { organizationId, email })
      })
      const made = yield* object("create-api-key", "--organization", organizationId, "--name", "shop")
      assert.match(yield* refusal("set-password", "--email", email, "--password", "short"), /at least 10 characters/)
      assert.match(yield* refusal("set-password", "--email", "no@x.y", "--password", "long enough"), /Nobody signs in/)
      const text = yield* printed("set-password", "--email", email, "--password", "battery staple")
      assert.notInclude(text, "battery")
      assert.isUndefined(yield* users.verify(email, before))
      assert.isDefined(yield* users.verify(email, "battery staple"))
      const revoke = ["revoke-api-key", "--organization", organizationId, "--key"]
      assert.match(yield* refusal(...revoke, "key_nobody"), /no API key key_nobody/)
      assert.isDefined(yield* keys.authenticate(made.key))
      yield* printed(...revoke, made.id)
      assert.isUndefined(yield* keys.authenticate(made.key))
      const { data } = yield* audit.list(organizationId, {}, 1, 10)
      assert.sameMembers(
        data.map(({ action }) => action),
        ["api_key.created", "user.password_changed", "api_key.revoked"]
      )
      for (const { actor } of data) assert.deepStrictEqual(actor, { type: "operator", id: null })
      assert.notInclude(JSON.stringify(data), "battery")
    })
  )

  it.effect("connects the messaging channel after testing it, and shows webhooks that could not be processed", () =>
    Effect.gen(function* () {
      const [a, b] = [yield* newOrganization(), yield* newOrganization()]
      const { phoneNumberId, accountId, accessToken, appSecret } = simulatorNumber
      const given = (id: string, token = accessToken) => [
        ...["connect-messaging", "--organization", id, "--phone-number-id", phoneNumberId],
        ...["--business-account-id", accountId, "--access-token", token, "--app-secret", appSecret],
        ...["--verify-token", "verify-me-1234"]
      ]
      assert.match(yield* refusal(...given(a.id, "EAAnobody")), /does not accept accessToken/)
      const text = yield* printed(...given(a.id))
      assert.include(text, "Maple Books")
      for (const secret of [accessToken, "verify-me-1234"]) assert.notInclude(text, secret)
      assert.match(yield* refusal(...given(b.id)), /belongs to another organization/)
      assert.deepStrictEqual(
        (yield* audited(a.id)).map(({ action }) => action).filter((action) => action.startsWith("messaging")),
        ["messaging_connection.created"]
      )
      assert.deepInclude(yield* object("messaging-inbox", "--organization", a.id), { failed: [], retried: 0 })
    })
  )

  it.effect("connects a telephony account, without printing its token, to one organization only", () =>
    Effect.gen(function* () {
      const connections = yield* TelephonyConnections
      const [a, b] = [yield* newOrganization(), yield* newOrganization()]
      const account = ["--account-sid", "AC123", "--auth-token", "very-secret"]
      const text = yield* printed("connect-telephony", "--organization", a.id, ...account)
      assert.notInclude(text, "very-secret")
      assert.strictEqual((yield* connections.findByAccount("AC123"))?.authToken, "very-secret")
      assert.match(
        yield* refusal("connect-telephony", "--organization", b.id, ...account),
        /belongs to another organization/
      )
      yield* printed(
        "connect-telephony",
        "--organization",
        a.id,
        "--account-sid",
        "AC124",
        "--auth-token",
        "new-secret"
      )
      assert.deepStrictEqual(yield* audited(a.id), [
        {
          action: "telephony.connected",
          subjectId: "AC124",
          before: { accountSid: "AC123" },
          after: { accountSid: "AC124" }
        },
        { action: "telephony.connected", subjectId: "AC123", before: null, after: { accountSid: "AC123" } }
      ])
      assert.isEmpty(yield* audited(b.id))
    })
  )

  it.effect("assigns a number, however it is written, to an agent of that organization", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const numbers = yield* PhoneNumbers
      const [a, b] = [yield* newOrganization(), yield* newOrganization()]
      const [mine, theirs] = [agentOf(a.id), agentOf(b.id)]
      yield* agents.create(mine)
      yield* agents.create(theirs)
      const assign = (organization: string, agent: string, phone: string) =>
        ["assign-number", "--organization", organization, "--agent", agent, "--phone", phone] as const
      const made = yield* object(...assign(a.id, mine.id, "+1 (415) 555-0177"))
      assert.strictEqual(made.phone, "+14155550177")
      assert.strictEqual(yield* numbers.agentOf(a.id, "+14155550177"), mine.id)
      assert.deepStrictEqual(yield* audited(a.id), [
        {
          action: "phone_number.assigned",
          subjectId: (yield* numbers.findByPhone(a.id, "+14155550177"))?.id ?? "none",
          before: { agentId: null },
          after: { agentId: mine.id }
        }
      ])
      assert.match(yield* refusal(...assign(a.id, mine.id, "555")), /not a phone number with a country code/)
      assert.match(yield* refusal(...assign(a.id, theirs.id, "+14155550178")), /no voice agent/)
      assert.match(yield* refusal(...assign(b.id, theirs.id, "+14155550177")), /belongs to another organization/)
    })
  )

  it.effect("shows which humans are busy and who waits for them, and frees one", () =>
    Effect.gen(function* () {
      const here = yield* desk()
      const transfers = yield* Transfers
      const calls = [yield* answered(here), yield* answered(here)]
      const { organizationId } = here
      const humans = ["humans", "--organization", organizationId]
      assert.match(yield* printed(...humans), /All are free/)
      for (const { id: callId } of calls)
        yield* transfers.request({ organizationId, callId, toolCallId: "t", destination }, 0, {
          arrivalMs: 60_000,
          talkMs: 60_000
        })
      assert.match(yield* printed(...humans), new RegExp(`busy with ${calls[0].id} since .*, 1 waiting`))
      assert.deepStrictEqual(
        (yield* object(...humans)).humans[0].waiting.map(({ callId }: { callId: string }) => callId),
        [calls[1].id]
      )
      const free = ["free-human", "--organization", organizationId, "--destination", destination]
      assert.strictEqual((yield* object(...free)).callId, calls[0].id)
      assert.match(yield* printed(...humans), /free, 1 waiting/)
      assert.match(yield* refusal(...free), /is not busy/)
    })
  )

  it.effect("sets what an Enterprise organization pays for its calls, and shows what they used and earned", () =>
    Effect.gen(function* () {
      const calls = yield* Calls
      const sql = yield* SqlClient.SqlClient
      const here = yield* desk()
      const { organizationId } = here
      const terms = ["set-voice-terms", "--organization", organizationId]
      assert.match(yield* refusal(...terms, "--minutes-per-month", "1"), /Only Enterprise .* on PREMIUM/)
      yield* tenant(organizationId)(sql`UPDATE organizations SET plan = 'ENTERPRISE'`)
      const made = yield* object(...terms, "--minutes-per-month", "1", "--overage-usd-per-minute", "0.09")
      assert.deepInclude(made, { minutesPerMonth: 1, overageUsdPerMinute: "0.09" })
      assert.strictEqual((yield* object(...terms, "--minutes-per-month", "2")).overageUsdPerMinute, "0.09")
      assert.match(yield* refusal(...terms, "--overage-usd-per-minute", "cheap"), /must be an amount in USD/)
      assert.match(yield* refusal(...terms), /or --reset/)
      const call = yield* answered(here, "2026-05-04T10:00:00.000Z")
      yield* calls.apply({ ...ended(here, call.id, "silence", "2026-05-04T10:03:00.000Z"), durationSeconds: 180 })
      const usage = ["voice-usage", "--organization", organizationId, "--from", "2026-05-01", "--to", "2026-05-31"]
      const shown = yield* object(...usage, "--carrier-usd-per-minute", "0.01")
      assert.deepInclude(shown.totals, { minutes: 3, includedMinutes: 2, overageMinutes: 1, price: "0.09" })
      assert.deepStrictEqual(shown.operator, { worth: "0.27", cost: "0.0769", marginPercent: 71.5 })
      assert.match(yield* printed(...usage, "--group-by", "agent"), new RegExp(`${here.agent.name}.* 1 calls, 3 min`))
      assert.match(yield* refusal(...usage.slice(0, 3), "--from", "May"), /must be a date/)
      assert.deepInclude(yield* object(...terms, "--reset"), { minutesPerMonth: 0, overageUsdPerMinute: "0.12" })
    })
  )

  it.effect("sets how many calls an Enterprise organization may have at once, beside its terms, and shows both", () =>
    Effect.gen(function* () {
      const [organizations, audit] = [yield* Organizations, yield* Audit]
      const [{ id }, other] = [
        yield* newOrganization({ plan: "ENTERPRISE" }),
        yield* newOrganization({ plan: "ENTERPRISE" })
      ]
      const terms = ["set-voice-terms", "--organization", id]
      const show = object("show-organization", "--organization", id)
      assert.deepInclude(yield* show, { id, plan: "ENTERPRISE", concurrentCalls: 200, minutesPerMonth: 0 })
      for (const wrong of ["0", "-1", "10001"])
        assert.match(yield* refusal(...terms, `--concurrent-calls=${wrong}`), /must be 1 to 10,000/, wrong)
      assert.strictEqual((yield* object(...terms, "--concurrent-calls", "10000")).concurrentCalls, 10_000)
      assert.isNull((yield* organizations.find(id))?.voiceTerms)
      const minutes = yield* object(...terms, "--minutes-per-month", "700")
      assert.deepInclude(minutes, { minutesPerMonth: 700, concurrentCalls: 10_000 })
      assert.deepInclude(yield* show, { minutesPerMonth: 700, concurrentCalls: 10_000 })
      assert.strictEqual((yield* object(...terms, "--reset")).concurrentCalls, 200)
      assert.isNull((yield* organizations.find(id))?.concurrentCalls)
      const { data } = yield* audit.list(id, { action: "organization.voice_terms_changed" }, 1, 10)
      assert.deepStrictEqual(data.at(-1)?.after, { concurrentCalls: 10_000 })
      assert.deepStrictEqual(yield* organizations.find(other.id), other)
      const premium = yield* newOrganization()
      assert.match(
        yield* refusal("set-voice-terms", "--organization", premium.id, "--concurrent-calls", "5"),
        /Only Enterprise/
      )
      // Agreed on with Enterprise: not what a plan below it has.
      yield* organizations.setConcurrentCalls(premium.id, 5)
      const shown = yield* object("show-organization", "--organization", premium.id)
      assert.strictEqual(shown.concurrentCalls, 20)
    })
  )

  it.effect("sets the AI tokens of an Enterprise organization, and of no other plan", () =>
    Effect.gen(function* () {
      const [organizations, audit] = [yield* Organizations, yield* Audit]
      const [{ id }, premium] = [yield* newOrganization({ plan: "ENTERPRISE" }), yield* newOrganization()]
      const tokens = ["set-ai-tokens", "--organization", id]
      assert.match(yield* refusal(...tokens), /either --tokens-per-month or --reset/)
      for (const wrong of ["-1", "1000000000001"])
        assert.match(yield* refusal(...tokens, `--tokens-per-month=${wrong}`), /must be 0 to/, wrong)
      const set = yield* object(...tokens, "--tokens-per-month", "5000000000")
      assert.strictEqual(set.aiTokensPerMonth, 5_000_000_000)
      assert.strictEqual((yield* organizations.find(id))?.aiTokensPerMonth, 5_000_000_000)
      assert.strictEqual((yield* object(...tokens, "--reset")).aiTokensPerMonth, 30_000_000)
      const { data } = yield* audit.list(id, { action: "organization.ai_tokens_changed" }, 1, 10)
      assert.deepStrictEqual(data.at(-1)?.after, { aiTokensPerMonth: 5_000_000_000 })
      const refused = refusal("set-ai-tokens", "--organization", premium.id, "--tokens-per-month", "5")
      assert.match(yield* refused, /Only Enterprise/)
    })
  )

  it.effect("searches, buys, assigns and releases numbers", () =>
    Effect.gen(function* () {
      const { id } = yield* newOrganization()
      const agent = agentOf(id)
      yield* (yield* VoiceAgents).create(agent)
      const numbers = (command: string, ...more: ReadonlyArray<string>) =>
        ["numbers", command, "--organization", id, ...more] as const
      const { data: offers } = yield* object(...numbers("search", "--area-code", "617", "--limit", "2"))
      assert.lengthOf(offers, 2)
      const { phoneNumber: phone } = offers[0]
      assert.deepInclude(yield* object(...numbers("buy", "--phone", phone)), { origin: "purchased", agentId: null })
      assert.match(yield* refusal(...numbers("buy", "--phone", phone)), /has \+1617\d+ already/)
      const assigned = yield* object(...numbers("assign", "--phone", phone, "--agent", agent.id))
      assert.strictEqual(assigned.agentId, agent.id)
      assert.include(yield* printed(...numbers("list")), `${phone}  purchased  active  ${agent.id}`)
      yield* printed(...numbers("release", "--phone", phone))
      assert.match(yield* refusal(...numbers("release", "--phone", phone)), /no number \+1617/)
      assert.strictEqual(yield* printed(...numbers("list")), "None.")
    })
  )

  it.effect("shows a SIP password once, makes a new one, and revokes it", () =>
    Effect.gen(function* () {
      const { id } = yield* newOrganization()
      const sip = (command: string) => ["sip", command, "--organization", id] as const
      const first = yield* object(...sip("show"))
      assert.isTrue(first.isNew)
      assert.deepInclude(yield* object(...sip("show")), { username: first.username, password: "********" })
      assert.notStrictEqual((yield* object(...sip("regenerate"))).password, first.password)
      yield* printed(...sip("revoke"))
      assert.match(yield* refusal(...sip("revoke")), /no SIP credentials/)
    })
  )

  it.effect("sets how long an Enterprise organization keeps things, counts what that removes, and removes it", () =>
    Effect.gen(function* () {
      const calls = yield* Calls
      const sql = yield* SqlClient.SqlClient
      const here = yield* desk()
      const { organizationId } = here
      const set = ["set-retention", "--organization", organizationId]
      assert.match(yield* refusal(...set, "--transcript-days", "30"), /Only Enterprise .* on PREMIUM/)
      yield* tenant(organizationId)(sql`UPDATE organizations SET plan = 'ENTERPRISE'`)
      assert.match(yield* refusal(...set, "--recording-days", "0"), /from 1 to 3650/)
      assert.match(yield* refusal(...set), /or --reset/)
      const call = yield* answered(here)
      yield* calls.apply(said(here, call.id, 1, "Hello"))
      const fortyDaysAgo = new Date((yield* Clock.currentTimeMillis) - 40 * 86_400_000)
      yield* calls.apply(ended(here, call.id, "silence", fortyDaysAgo.toISOString()))
      yield* tenant(organizationId)(sql`UPDATE utterances SET created_at = ${fortyDaysAgo}`)
      const run = ["retention", "--organization", organizationId]
      assert.strictEqual((yield* object(...run, "--dry-run")).transcripts, 0)
      const kept = { transcriptDays: 30, recordingDays: 90, toolCallDays: 365 }
      assert.deepInclude(yield* object(...set, "--transcript-days", "30"), kept)
      assert.deepInclude(yield* object(...run, "--dry-run"), { dryRun: true, ...kept, transcripts: 1, utterances: 1 })
      assert.lengthOf(yield* calls.utterances(organizationId, call.id), 1)
      assert.deepInclude(yield* object(...run), { dryRun: false, transcripts: 1, utterances: 1, recordings: 0 })
      assert.isEmpty(yield* calls.utterances(organizationId, call.id))
      assert.deepInclude(yield* object(...set, "--reset"), { ...kept, transcriptDays: 90 })
      const { data } = yield* (yield* Audit).list(organizationId, { action: "organization.retention_changed" }, 1, 10)
      // Newest first, and only the changed values, as over the REST interface.
      assert.deepStrictEqual(
        data.map(({ before, after }) => [before, after]),
        [
          [{ transcriptDays: 30 }, { transcriptDays: 90 }],
          [{ transcriptDays: 90 }, { transcriptDays: 30 }]
        ]
      )
    })
  )

  it.effect("sets agents to the locked stack, and fails with the reasons when some cannot be", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const { id } = yield* newOrganization()
      const gone = agentOf(id, { voiceId: "aura-asteria-en" })
      for (const agent of [agentOf(id), agentOf(id)]) yield* agents.create(agent)
      const resync = ["resync-agents", "--organization", id]
      assert.deepStrictEqual(yield* object(...resync), { updated: 2, unchanged: 0, failed: 0, failures: [] })
      assert.deepStrictEqual(
        (yield* audited(id)).map(({ action, before }) => [action, before]),
        Array.from({ length: 2 }, () => ["voice_agent.resynced", { providerStack: agentOf(id).providerStack }])
      )
      yield* agents.create(gone)
      assert.match(yield* refusal(...resync), /1 of 3 agents failed/)
      assert.match(yield* refusal("resync-agents", "--organization", "org_x"), /no organization org_x/)
    })
  )

  it.effect("moves an organization to another plan, and voice agents with it unless it is told otherwise", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const { id } = yield* newOrganization({ plan: "PRO" })
      const move = (...args: ReadonlyArray<string>) => object("set-plan", "--organization", id, ...args)
      const planAndFlag = Effect.map(organizations.find(id), (found) => [found?.plan, found?.flags.voiceAgents])
      const off = { voiceAgents: false, voicePremium: false }
      assert.deepStrictEqual(yield* move("--plan", "PREMIUM"), {
        id,
        plan: "PREMIUM",
        flags: { ...off, voiceAgents: true }
      })
      assert.deepStrictEqual(yield* planAndFlag, ["PREMIUM", true])
      yield* move("--plan", "ENTERPRISE")
      assert.deepStrictEqual(yield* planAndFlag, ["ENTERPRISE", false])
      yield* move("--plan", "ENTERPRISE", "--voice-agents")
      assert.deepStrictEqual(yield* planAndFlag, ["ENTERPRISE", true])
      yield* move("--plan", "ENTERPRISE")
      assert.deepStrictEqual(yield* planAndFlag, ["ENTERPRISE", true])
      yield* move("--plan", "PREMIUM", "--no-voice-agents")
      assert.deepStrictEqual(yield* planAndFlag, ["PREMIUM", false])
      const first = (yield* audited(id)).at(-1)
      assert.deepStrictEqual(first, {
        action: "organization.plan_changed",
        subjectId: id,
        before: { plan: "PRO", voiceAgents: false },
        after: { plan: "PREMIUM", voiceAgents: true }
      })
      assert.match(yield* refusal("set-plan", "--organization", "org_x", "--plan", "PRO"), /no organization org_x/)
    })
  )

  it.effect("switches one flag on or off, and refuses a command with neither or both", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const { id } = yield* newOrganization()
      const set = ["set-flag", "--organization", id, "--flag", "voicePremium"]
      yield* printed(...set, "--on")
      assert.isTrue((yield* organizations.find(id))?.flags.voicePremium)
      yield* printed(...set, "--off")
      assert.deepStrictEqual((yield* organizations.find(id))?.flags, { voiceAgents: true, voicePremium: false })
      for (const both of [[], ["--on", "--off"]]) assert.match(yield* refusal(...set, ...both), /either --on or --off/)
    })
  )
})
