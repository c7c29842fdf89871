/** The app over a real database, with a simulated telephony provider. Every exchange is checked against the vendor's API description. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { start } from "../../simulators/telephone/TelephoneNetwork.ts"
import type { Scope } from "../../src/domain/people/access/Access.ts"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import type { NewOrganization } from "../../src/domain/people/organizations/Organization.ts"
import { VoiceAgents } from "../../src/domain/voice/agents/VoiceAgent.ts"
import { judge } from "../contract/Twilio.ts"
import { makeWorld } from "../http/world.ts"
import { agentOf, newOrganization, testStores } from "./tenants.ts"

/** Lives as long as the scope. */
const startProvisioning = Effect.gen(function* () {
  const network = yield* Effect.acquireRelease(
    Effect.promise(() =>
      start({ accountSid: `AC${"0".repeat(32)}`, authToken: "not used", webhookUrl: "http://not.used" })
    ),
    ({ close }) => Effect.promise(close)
  )
  const judged = yield* judge(network.url)
  const stores = yield* Layer.build(testStores)
  const world = yield* makeWorld({ stores: Layer.succeedContext(stores), telephonyUrl: judged.url })

  /** An organization with a key of these scopes. */
  const tenant = (
    scopes: ReadonlyArray<Scope> = ["voice:read", "voice:write", "admin"],
    input: Partial<NewOrganization> = {}
  ) =>
    Effect.gen(function* () {
      const { id } = yield* newOrganization(input)
      const keys = yield* ApiKeys
      const { secret } = yield* keys.create({ organizationId: id, name: "test", scopes })
      const agent = Effect.gen(function* () {
        const made = agentOf(id)
        yield* (yield* VoiceAgents).create(made)
        return made.id
      }).pipe(Effect.provide(stores), Effect.orDie)
      const call = (method: string, path: string, body?: unknown) =>
        Effect.promise(() => world.call(method, `/api/voice-phone-numbers${path}`, body, secret))
      return { id, secret, agent, call }
    }).pipe(Effect.provide(stores))

  return { network, provider: network.provider, judged, stores, world, tenant }
})
export type ProvisioningWorld = Effect.Success<typeof startProvisioning>

/** A test in such a world. It fails when a request to the provider violates the vendor's API description. */
export const provisioned = (name: string, story: (world: ProvisioningWorld) => Effect.Effect<void>) =>
  it.live(name, () =>
    Effect.gen(function* () {
      const world = yield* Effect.orDie(startProvisioning)
      yield* story(world)
      assert.deepStrictEqual(world.judged.problems, [])
    }).pipe(Effect.scoped)
  )
