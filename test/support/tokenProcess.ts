/**
 * Many workers of one process that need the token of a connection to the simulated HubSpot at the moment at which it ends. It waits until the organization has
 * the connection. For each worker it prints `worked <account>`, or `failed` and why.
 */
import { Clock, Effect, Layer } from "effect"
import { RateLimiter } from "effect/persistence"
import { AppAdapters } from "../../src/domain/apps/AppAdapter.ts"
import { AppConnections } from "../../src/domain/apps/AppConnection.ts"
import { makeUseConnection } from "../../src/domain/apps/UseConnection.ts"
import * as RateLimitMemory from "../../src/integrations/resilience/RateLimitMemory.ts"
import { environmentOf, storesOf } from "./stores.ts"
import { testApps } from "./testApps.ts"

const { HUBSPOT_URL = "", ORGANIZATION = "", WORKERS = "1" } = process.env

const run = Effect.gen(function* () {
  const connections = yield* AppConnections
  const { hubspot } = yield* AppAdapters
  const { use } = yield* makeUseConnection
  console.log("running.")
  const find = connections.find(ORGANIZATION, "hubspot")
  let connection = yield* find
  while (connection === undefined) {
    yield* Effect.sleep("20 millis")
    connection = yield* find
  }
  const stored = connection
  yield* Effect.sleep(Math.max(0, Number(stored.credentials.expiresAt) - (yield* Clock.currentTimeMillis)))
  const worker = use(stored, ({ session }) => hubspot.identify(session)).pipe(
    Effect.match({
      onSuccess: ({ id }) => console.log(`worked ${id}.`),
      onFailure: ({ action, message }) => console.log(`failed: ${action}, ${message}`)
    })
  )
  yield* Effect.all(
    Array.from({ length: Number(WORKERS) }, () => worker),
    { concurrency: "unbounded", discard: true }
  )
  return yield* Effect.never
})

const services = Layer.mergeAll(
  testApps({ hubspot: HUBSPOT_URL }),
  RateLimiter.layer.pipe(Layer.provide(RateLimitMemory.layer)),
  storesOf(environmentOf(process.env))
)
await Effect.runPromise(Effect.scoped(Effect.provide(run, services)))
