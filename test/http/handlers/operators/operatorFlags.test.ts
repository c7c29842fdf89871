import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Organizations } from "../../../../src/domain/people/organizations/Organization.ts"
import { makeOperatorWorld } from "../../../support/operators.ts"

interface Reach {
  readonly organizations: number
  readonly having: number
  readonly inForce: number
}
interface Gate {
  readonly flag: string
  readonly staging: number
  readonly production: number
  readonly reach: { readonly staging: Reach; readonly production: Reach }
}

const agent = {
  name: "Reception",
  welcomeMessage: "Welcome.",
  voiceFamily: "english",
  voiceId: "aura-2-thalia-en",
  systemPrompt: "You are a receptionist."
}

const reason = "Heard for a week in staging."

describe("at /api/operator/flags", () => {
  it.live("a gate takes a flag from the organizations of a stage, whatever they have, and gives it back", () =>
    Effect.gen(function* () {
      const { ask, organizationId, as, provide, otherOrganization } = yield* makeOperatorWorld()
      const owner = yield* as("OWNER")
      const staging = yield* otherOrganization
      yield* ask("PATCH", `organizations/${staging}`, { body: { stage: "staging", reason } })
      const inForce = (id: string) =>
        provide(
          Effect.flatMap(Organizations, (organizations) => Effect.map(organizations.find(id), (one) => one?.flags))
        )

      const set = yield* ask("PUT", "flags/voiceAgents", { body: { staging: 100, production: 0, reason } })
      assert.strictEqual(set.status, 200)
      assert.isFalse((yield* inForce(organizationId))?.voiceAgents)
      assert.isTrue((yield* inForce(staging))?.voiceAgents)
      const refused = yield* owner.ask("POST", "/api/voice-agents", { body: agent })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.body.error, "voiceAgents")

      // What an operator changes under a closed gate is kept until it opens.
      const { body } = yield* ask("PATCH", `organizations/${organizationId}`, {
        body: { flags: { voicePremium: true }, reason }
      })
      assert.deepStrictEqual(body.flags, {
        voiceAgents: { set: true, inForce: false },
        voicePremium: { set: true, inForce: true }
      })
      yield* ask("PUT", "flags/voiceAgents", { body: { staging: 100, production: 100, reason } })
      assert.deepStrictEqual(yield* inForce(organizationId), { voiceAgents: true, voicePremium: true })
      assert.strictEqual((yield* owner.ask("POST", "/api/voice-agents", { body: agent })).status, 201)

      for (const body of [
        { staging: 101, production: 0, reason },
        { staging: 0.5, production: 0, reason },
        { staging: 0, production: 0 }
      ])
        assert.strictEqual((yield* ask("PUT", "flags/voiceAgents", { body })).status, 400)
      assert.strictEqual(
        (yield* ask("PUT", "flags/nothing", { body: { staging: 1, production: 1, reason } })).status,
        404
      )
    }).pipe(Effect.scoped)
  )

  it.live("a gate that opens further keeps those that it has let through, and reaches about as many as it says", () =>
    Effect.gen(function* () {
      const { ask, provide } = yield* makeOperatorWorld()
      const created = yield* provide(
        Effect.flatMap(Organizations, (organizations) =>
          Effect.forEach(Array.from({ length: 120 }), () =>
            organizations.create({ name: "Shop", plan: "PREMIUM", timeZone: "UTC" })
          )
        )
      )
      const letThrough = Effect.fnUntraced(function* (production: number) {
        const { body } = yield* ask("PUT", "flags/voiceAgents", { body: { staging: 100, production, reason } })
        const gate: Gate = body.data.find(({ flag }: Gate) => flag === "voiceAgents")
        const open = new Set<string>()
        for (const { id } of created) {
          const one = yield* provide(Effect.flatMap(Organizations, (organizations) => organizations.find(id)))
          if (one?.flags.voiceAgents === true) open.add(id)
        }
        return { gate, open }
      })
      const none = yield* letThrough(0)
      const some = yield* letThrough(30)
      const more = yield* letThrough(60)
      const all = yield* letThrough(100)
      assert.deepStrictEqual([none.open.size, all.open.size], [0, 120])
      assert.includeMembers([...more.open], [...some.open])
      assert.isAbove(more.open.size, some.open.size)
      // Six standard deviations of 120 organizations at 30 of 100.
      assert.isBelow(Math.abs(some.open.size - 36), 30)
      const { organizations, having, inForce } = more.gate.reach.production
      assert.deepStrictEqual([organizations, having], [121, 121])
      assert.isAtLeast(inForce, more.open.size)
      assert.isAtMost(inForce, more.open.size + 1)
    }).pipe(Effect.scoped)
  )
})
