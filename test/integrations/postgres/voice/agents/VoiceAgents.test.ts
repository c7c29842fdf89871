import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { VoiceAgents } from "../../../../../src/domain/voice/agents/VoiceAgent.ts"
import { PhoneNumbers, TelephonyConnections } from "../../../../../src/domain/voice/telephony/PhoneNumber.ts"
import { tenant } from "../../../../../src/integrations/postgres/tenancy/Tenant.ts"
import { agentOf, newOrganization, testStores } from "../../../../support/tenants.ts"

layer(testStores)("among voice agents and numbers", (it) => {
  it.effect("an agent is found again as it was saved, listed newest first, and only by its organization", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const [a, b] = [yield* newOrganization(), yield* newOrganization()]
      const saved = [1, 2, 3].map((n) =>
        agentOf(a.id, { createdAt: new Date(n * 1_000).toISOString(), use_fillers: n === 2 })
      )
      for (const agent of saved) yield* agents.create(agent)
      assert.deepStrictEqual(yield* agents.find(a.id, saved[1].id), saved[1])
      assert.isUndefined(yield* agents.find(b.id, saved[1].id))
      const page = yield* agents.list(a.id, 1, 2)
      assert.deepStrictEqual([page.total, page.data.map(({ id }) => id)], [3, [saved[2].id, saved[1].id]])
      assert.deepStrictEqual(yield* agents.list(b.id, 1, 2), { data: [], total: 0 })
    })
  )

  it.effect("a change is written only to the version of the record that it was made from", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const { id: organizationId } = yield* newOrganization()
      const agent = agentOf(organizationId, { updatedAt: "2026-11-01T00:00:00.000Z" })
      yield* agents.create(agent)
      const changed = { ...agent, name: "Renamed", recording: true, updatedAt: "2026-11-01T00:00:01.000Z" }
      assert.isTrue(yield* agents.update(changed, agent.updatedAt))
      assert.deepStrictEqual(yield* agents.find(organizationId, agent.id), changed)
      assert.isFalse(yield* agents.update({ ...agent, use_fillers: true }, agent.updatedAt))
      assert.deepStrictEqual(yield* agents.find(organizationId, agent.id), changed)
      yield* agents.remove(organizationId, agent.id)
      assert.isFalse(yield* agents.update(changed, changed.updatedAt))
    })
  )

  it.effect("the headers of a tool are stored encrypted and open only for their organization", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const sql = yield* SqlClient.SqlClient
      const [a, b] = [yield* newOrganization(), yield* newOrganization()]
      const parameters = { type: "object", properties: {} } as const
      const headers = { authorization: "Bearer sk-live-51H8", "x-team": "" }
      const handler = { type: "http", url: "https://x.test", method: "GET", headers } as const
      const tools = [
        { name: "mine", description: "", parameters, handler },
        { name: "bare", description: "", parameters },
        { name: "built_in", description: "", parameters, handler: { type: "builtin", name: "clock" } } as const
      ]
      const [agent, other] = [agentOf(a.id, { tools }), agentOf(b.id)]
      yield* agents.create(agent)
      yield* agents.create(other)
      const settings = Effect.fnUntraced(function* () {
        const [row] = yield* tenant(a.id)(sql<{ settings: object }>`SELECT settings FROM voice_agents`)
        return JSON.stringify(row.settings)
      })
      assert.notInclude(yield* settings(), "sk-live")
      assert.deepStrictEqual(yield* agents.find(a.id, agent.id), agent)
      assert.deepStrictEqual((yield* agents.list(a.id, 1, 10)).data, [agent])

      // A row from before encryption is readable, and the next save encrypts it.
      const plain = JSON.stringify({ ...agentOf(a.id), tools })
      yield* tenant(a.id)(sql`UPDATE voice_agents SET settings = ${plain}::jsonb`)
      assert.deepStrictEqual((yield* agents.find(a.id, agent.id))?.tools, tools)
      assert.isTrue(yield* agents.update(agent, agent.updatedAt))
      const sealed = yield* settings()
      assert.notInclude(sealed, "sk-live")
      assert.deepStrictEqual(yield* agents.find(a.id, agent.id), agent)

      yield* tenant(b.id)(sql`UPDATE voice_agents SET settings = ${sealed}::jsonb`)
      assert.strictEqual((yield* Effect.exit(agents.find(b.id, other.id)))._tag, "Failure")
    })
  )

  it.effect("an agent from before a part of its policy has the default of that part", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const sql = yield* SqlClient.SqlClient
      const { id: organizationId } = yield* newOrganization()
      const agent = agentOf(organizationId, {
        endpointing: { minSilenceMs: 500, maxSilenceMs: 3_000, semantic: "off" }
      })
      yield* agents.create(agent)
      assert.deepStrictEqual(yield* agents.find(organizationId, agent.id), agent)
      yield* tenant(organizationId)(sql`UPDATE voice_agents SET settings = settings #- '{endpointing,semantic}'`)
      assert.deepStrictEqual((yield* agents.find(organizationId, agent.id))?.endpointing, {
        minSilenceMs: 500,
        maxSilenceMs: 3_000,
        semantic: "auto"
      })
    })
  )

  it.effect("two agents of one organization cannot share a name", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const [a, b] = [yield* newOrganization(), yield* newOrganization()]
      yield* agents.create(agentOf(a.id, { name: "Asha" }))
      yield* agents.create(agentOf(b.id, { name: "Asha" }))
      const second = agentOf(a.id, { name: "Asha" })
      assert.isTrue(yield* agents.isNameTaken(second))
      assert.strictEqual((yield* Effect.flip(agents.create(second)))._tag, "DuplicateAgent")
      const third = agentOf(a.id, { name: "Ravi" })
      yield* agents.create(third)
      assert.isFalse(yield* agents.isNameTaken(third))
      const renamed = yield* Effect.flip(agents.update({ ...third, name: "Asha" }, third.updatedAt))
      assert.strictEqual(renamed._tag, "DuplicateAgent")
    })
  )

  it.effect("a number belongs to one agent, an agent has one number, and removing the agent frees the number", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const numbers = yield* PhoneNumbers
      const { id: organizationId } = yield* newOrganization()
      const [one, two] = [agentOf(organizationId), agentOf(organizationId)]
      yield* agents.create(one)
      yield* agents.create(two)
      yield* numbers.assign(organizationId, "+14155550110", one.id)
      assert.strictEqual(yield* numbers.agentOf(organizationId, "+14155550110"), one.id)
      assert.strictEqual((yield* agents.find(organizationId, one.id))?.phoneNumber, "+14155550110")
      yield* numbers.assign(organizationId, "+14155550111", one.id)
      assert.isUndefined(yield* numbers.agentOf(organizationId, "+14155550110"))
      yield* numbers.assign(organizationId, "+14155550111", two.id)
      assert.isNull((yield* agents.find(organizationId, one.id))!.phoneNumber)
      assert.isTrue(yield* agents.remove(organizationId, two.id))
      assert.isFalse(yield* agents.remove(organizationId, two.id))
      assert.isUndefined(yield* numbers.agentOf(organizationId, "+14155550111"))
    })
  )

  it.effect("a number of one organization cannot be taken by another, and the attempt disturbs neither", () =>
    Effect.gen(function* () {
      const agents = yield* VoiceAgents
      const numbers = yield* PhoneNumbers
      const [a, b] = [yield* newOrganization(), yield* newOrganization()]
      const [mine, theirs] = [agentOf(a.id), agentOf(b.id)]
      yield* agents.create(mine)
      yield* agents.create(theirs)
      yield* numbers.assign(a.id, "+14155550120", mine.id)
      yield* numbers.assign(b.id, "+14155550121", theirs.id)
      const failure = yield* Effect.flip(numbers.assign(b.id, "+14155550120", theirs.id))
      assert.deepStrictEqual([failure._tag, failure.phone], ["DuplicateNumber", "+14155550120"])
      assert.strictEqual(yield* numbers.agentOf(a.id, "+14155550120"), mine.id)
      assert.strictEqual(yield* numbers.agentOf(b.id, "+14155550121"), theirs.id)
      assert.isFalse(yield* agents.remove(b.id, mine.id))
    })
  )

  it.effect(
    "a telephony account is found by its id, its token is stored encrypted and opens only for its organization",
    () =>
      Effect.gen(function* () {
        const connections = yield* TelephonyConnections
        const sql = yield* SqlClient.SqlClient
        const [a, b] = [yield* newOrganization(), yield* newOrganization()]
        const connection = { organizationId: a.id, accountSid: "AC_of_a", authToken: "first-token" }
        yield* connections.save(connection)
        yield* connections.save({ ...connection, authToken: "second-token" })
        assert.deepStrictEqual(yield* connections.findByAccount("AC_of_a"), {
          ...connection,
          authToken: "second-token"
        })
        assert.deepStrictEqual(yield* connections.find(a.id), { ...connection, authToken: "second-token" })
        assert.isUndefined(yield* connections.find(b.id))
        assert.isUndefined(yield* connections.findByAccount("AC_unknown"))
        const [row] = yield* tenant(a.id)(sql<{ authToken: string }>`SELECT auth_token FROM telephony_connections`)
        assert.notInclude(row.authToken, "second-token")
        yield* connections.save({ organizationId: b.id, accountSid: "AC_of_b", authToken: "b" })
        yield* tenant(b.id)(sql`UPDATE telephony_connections SET auth_token = ${row.authToken}`)
        assert.strictEqual((yield* Effect.exit(connections.findByAccount("AC_of_b")))._tag, "Failure")
      })
  )
})
