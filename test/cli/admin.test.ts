import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Console, Effect, Exit, Layer } from "effect"
import { Command } from "effect/cli"
import { admin } from "../../src/cli/admin.ts"
import { ApiKeys } from "../../src/domain/Access.ts"
import { Organizations } from "../../src/domain/Organization.ts"
import { PhoneNumbers, TelephonyConnections } from "../../src/domain/PhoneNumber.ts"
import { VoiceAgents } from "../../src/domain/VoiceAgent.ts"
import { agentOf, newOrganization, testStores } from "../support/tenants.ts"

const run = Command.runWith(admin, { version: "test" })

/** What `parley admin …` prints; fails as it does. */
const printed = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const lines: Array<string> = []
  const silent = { ...globalThis.console, log: (line: string) => lines.push(line), error: () => undefined }
  yield* run(args).pipe(Effect.provideService(Console.Console, silent))
  return lines.join("\n")
})

const object = (...args: ReadonlyArray<string>) => Effect.map(printed(...args, "--json"), (text) => JSON.parse(text))

const refusal = (...args: ReadonlyArray<string>) =>
  Effect.map(Effect.flip(printed(...args)), (error) => (error instanceof Error ? error.message : String(error)))

layer(testStores.pipe(Layer.provideMerge(NodeServices.layer)))("parley admin", (it) => {
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
      const plain = yield* object("create-organization", "--name", "Beta", "--plan", "PREMIUM", "--no-voice-agents")
      assert.isFalse(plain.flags.voiceAgents)
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

  it.effect("creates a key that works, with the scopes asked for and not for the past", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* newOrganization()
      const key = ["create-api-key", "--organization", id, "--name", "k"]
      const made = yield* object(...key, "--scope", "voice:read", "--scope", "admin", "--expires", "2099-01-31")
      assert.deepStrictEqual((yield* keys.authenticate(made.key))?.scopes, ["voice:read", "admin"])
      assert.strictEqual(made.expiresAt, "2099-01-31T00:00:00.000Z")
      const text = yield* printed(...key)
      assert.match(text, /^key +mk_\w{8}_\w{32}$/m)
      assert.match(yield* refusal(...key, "--expires", "1960-01-01"), /must lie in the future/)
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
      const made = yield* object(...person, "--password", "long enough")
      assert.match(made.id, /^usr_/)
      assert.notInclude(JSON.stringify(made), "long enough")
      assert.match(yield* refusal(...person, "--password", "long enough"), /already signs in with grace@example.com/)
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
    })
  )

  it.effect("assigns a number, however it is written, to an agent of that organization", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const numbers = yield* PhoneNumbers
      const [a, b] = [yield* newOrganization(), yield* newOrganization()]
      const [mine, theirs] = [agentOf(a.id), agentOf(b.id)]
      yield* agents.create(mine, Effect.void)
      yield* agents.create(theirs, Effect.void)
      const assign = (organization: string, agent: string, phone: string) =>
        ["assign-number", "--organization", organization, "--agent", agent, "--phone", phone] as const
      const made = yield* object(...assign(a.id, mine.id, "+1 (415) 555-0177"))
      assert.strictEqual(made.phone, "+14155550177")
      assert.strictEqual(yield* numbers.agentOf(a.id, "+14155550177"), mine.id)
      assert.match(yield* refusal(...assign(a.id, mine.id, "555")), /not a phone number with a country code/)
      assert.match(yield* refusal(...assign(a.id, theirs.id, "+14155550178")), /no voice agent/)
      assert.match(yield* refusal(...assign(b.id, theirs.id, "+14155550177")), /belongs to another organization/)
    })
  )

  it.effect("switches one flag on or off, and wants to be told which", () =>
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
