/**
 * Tokens are refreshed once, whoever asks. The simulated provider rotates refresh tokens and ends all tokens of an authorization when one is used twice, so a
 * second refresh would show.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { start } from "../../../simulators/crm/HubSpot.ts"
import { AppConnections } from "../../../src/domain/apps/AppConnection.ts"
import { makeAppTokens } from "../../../src/domain/apps/AppTokens.ts"
import { makeOpenSession } from "../../../src/domain/apps/OpenSession.ts"
import * as RateLimitMemory from "../../../src/integrations/resilience/RateLimitMemory.ts"
import { personOf, redirectUri } from "../../support/authorize.ts"
import { startHubSpot } from "../../support/hubspot.ts"
import { newStores, storesOf } from "../../support/stores.ts"
import { newOrganization } from "../../support/tenants.ts"
import { testApps } from "../../support/testApps.ts"

/** A connection whose access token has just ended, and nodes that share its database. */
const stage = Effect.gen(function* () {
  const hubspot = yield* Effect.acquireRelease(
    Effect.promise(() => start()),
    ({ close }) => Effect.promise(close)
  )
  const environment = yield* newStores
  const node = Effect.map(Layer.build(storesOf(environment)), (stores) => ({
    stores,
    run: <A, E>(effect: Effect.Effect<A, E, Layer.Success<ReturnType<typeof storesOf>>>) =>
      Effect.provide(effect, stores)
  }))
  const nodes = yield* Effect.all([node, node])
  const given = hubspot.tokens.take(
    new URLSearchParams({
      ...{ grant_type: "authorization_code", code: hubspot.tokens.agree(redirectUri), redirect_uri: redirectUri },
      ...{ client_id: "client-of-parley", client_secret: "secret-of-the-client" }
    })
  ).body as { readonly access_token: string; readonly refresh_token: string }
  const connection = yield* nodes[0].run(
    Effect.gen(function* () {
      const { id: organizationId } = yield* newOrganization()
      const connections = yield* AppConnections
      const credentials = { accessToken: given.access_token, refreshToken: given.refresh_token, expiresAt: "0" }
      yield* connections.save(
        organizationId,
        "hubspot",
        { credentials, settings: {}, webhookToken: null, account: { id: "1", name: "1" } },
        0
      )
      return yield* connections.find(organizationId, "hubspot")
    })
  )
  if (connection === undefined) return assert.fail("it is stored")
  const tools = Effect.forEach(nodes, ({ stores }) =>
    Effect.gen(function* () {
      const { askUnlogged } = yield* makeOpenSession
      const fresh = yield* makeAppTokens
      return () => fresh(connection, askUnlogged(connection))
    }).pipe(
      Effect.provide(testApps({ hubspot: hubspot.url })),
      Effect.provide(RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer))),
      Effect.provide(stores)
    )
  )
  return { hubspot, nodes, connection, workers: yield* tools }
})

describe("tokens that end", () => {
  it.live("are refreshed exactly once for 50 workers on two nodes", () =>
    Effect.gen(function* () {
      const { hubspot, workers } = yield* stage
      const all = Array.from({ length: 50 }, (_, i) => workers[i % 2]())
      const found = yield* Effect.all(all, { concurrency: "unbounded" })
      assert.strictEqual(hubspot.tokens.refreshed, 1)
      const tokens = new Set(found.map(({ credentials }) => credentials.accessToken))
      assert.strictEqual(tokens.size, 1)
      assert.strictEqual(hubspot.tokens.judge([...tokens][0]), "good")
    }).pipe(Effect.scoped)
  )

  it.live("are not asked for again for 30 seconds after a refresh that failed", () =>
    Effect.gen(function* () {
      const { hubspot, workers } = yield* stage
      hubspot.faults.failNext = 1
      const first = yield* Effect.flip(workers[0]())
      assert.deepInclude({ ...first }, { action: "wait", retryAfterMs: 30_000 })
      const asked = hubspot.received.length
      const second = yield* Effect.flip(workers[1]())
      assert.strictEqual(second.action, "wait")
      assert.strictEqual(hubspot.received.length, asked)
    }).pipe(Effect.scoped)
  )

  it.live("that the provider has revoked need a person", () =>
    Effect.gen(function* () {
      const { hubspot, workers } = yield* stage
      hubspot.tokens.revokeAll()
      const failure = yield* Effect.flip(workers[0]())
      assert.deepInclude({ ...failure }, { action: "reconnect", final: true })
    }).pipe(Effect.scoped)
  )
})

describe("an authorization", () => {
  it.live("connects for the person who began it, once, and for nobody else", () =>
    Effect.gen(function* () {
      const world = yield* startHubSpot
      const { tenant, hubspot, call, connection } = world
      const us = yield* Effect.promise(() => tenant())
      const [ann, ben] = yield* Effect.promise(async () => [
        await personOf(world, us, "ann"),
        await personOf(world, us, "ben")
      ])
      const begin = Effect.promise(async () => String((await ann.begin("hubspot")).get("state")))
      const comeBack = ({ comeBack }: typeof ann, state: string) =>
        Effect.promise(() => comeBack({ state, code: hubspot.tokens.agree(redirectUri) }))
      const stolen = yield* comeBack(ben, yield* begin)
      assert.strictEqual(stolen.status, 400)
      assert.include(stolen.text, "<h1>The integration is not connected</h1>")
      assert.notInclude(stolen.text, "window.close")
      const state = yield* begin
      const done = yield* comeBack(ann, state)
      assert.strictEqual(done.status, 200, done.text)
      assert.include(done.text, "<h1>HubSpot is connected: Account 44012345</h1>")
      assert.include(done.text, "window.close()")
      assert.strictEqual((yield* comeBack(ann, state)).status, 400)
      const made = yield* Effect.promise(() => connection(us, "hubspot"))
      assert.deepInclude(made, { state: "connected", account: { id: "44012345", name: "Account 44012345" } })
      const byKey = yield* Effect.promise(() => call(us, "POST", "/hubspot/authorize"))
      assert.strictEqual(byKey.status, 403)
    }).pipe(Effect.scoped)
  )
})
