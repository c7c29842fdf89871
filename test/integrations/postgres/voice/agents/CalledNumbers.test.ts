import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Organizations } from "../../../../../src/domain/people/organizations/Organization.ts"
import { VoiceAgents } from "../../../../../src/domain/voice/agents/VoiceAgent.ts"
import { CalledNumbers } from "../../../../../src/domain/voice/telephony/CalledNumbers.ts"
import { PhoneNumbers } from "../../../../../src/domain/voice/telephony/PhoneNumber.ts"
import { agentOf, newOrganization, testStores } from "../../../../support/tenants.ts"

/** An organization whose agent answers the number. */
const office = Effect.fnUntraced(function* (phone: string) {
  const { id: organizationId } = yield* newOrganization()
  const agents = yield* VoiceAgents
  const numbers = yield* PhoneNumbers
  const agent = agentOf(organizationId)
  yield* agents.create(agent)
  yield* numbers.assign(organizationId, phone, agent.id)
  const called = yield* CalledNumbers
  return { organizationId, agents, numbers, agent, find: called.find(organizationId, phone) }
})

layer(testStores)("the agent of a called number", (it) => {
  it.effect("is cached while nothing changes, and the next call uses what was saved last", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const phone = "+14155550140"
      const { organizationId, agents, numbers, agent, find } = yield* office(phone)
      const first = yield* find
      assert.deepInclude(first.agent, { id: agent.id, phoneNumber: phone, systemPrompt: agent.systemPrompt })
      assert.deepStrictEqual(first.organization, yield* organizations.find(organizationId))
      const again = yield* find
      assert.isTrue(again.agent === first.agent && again.organization === first.organization)

      yield* agents.update({ ...agent, systemPrompt: "You answer with one word." }, agent.updatedAt)
      const changed = yield* find
      assert.strictEqual(changed.agent?.systemPrompt, "You answer with one word.")
      assert.isTrue(changed.organization === first.organization)

      yield* organizations.setFlags(organizationId, { voiceAgents: false })
      assert.isFalse((yield* find).organization?.flags.voiceAgents)
      yield* organizations.setDisclosureText(organizationId, "You speak with a machine.")
      assert.strictEqual((yield* find).organization?.disclosureText, "You speak with a machine.")

      const other = agentOf(organizationId)
      yield* agents.create(other)
      yield* numbers.assign(organizationId, phone, other.id)
      assert.strictEqual((yield* find).agent?.id, other.id)
      yield* agents.remove(organizationId, other.id)
      assert.isUndefined((yield* find).agent)
      // The number is free now. Assigned to the first agent again, it finds that agent as it is now.
      yield* numbers.assign(organizationId, phone, agent.id)
      assert.deepStrictEqual((yield* find).agent, yield* agents.find(organizationId, agent.id))
    })
  )

  it.effect("is not found for an unknown number, another organization's number or an unknown organization", () =>
    Effect.gen(function* () {
      const called = yield* CalledNumbers
      const phone = "+14155550141"
      const { organizationId } = yield* office(phone)
      const { id: stranger } = yield* newOrganization()
      assert.isUndefined((yield* called.find(organizationId, "+14155550149")).agent)
      const foreign = yield* called.find(stranger, phone)
      assert.deepStrictEqual([foreign.organization?.id, foreign.agent], [stranger, undefined])
      assert.deepStrictEqual(yield* called.find("org_nobody", phone), { organization: undefined, agent: undefined })
    })
  )
})
