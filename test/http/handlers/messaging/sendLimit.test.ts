/** The limit of messages to one recipient counts what was sent, and nothing that failed on our side. */
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { ApiKeys } from "../../../../src/domain/people/access/ApiKey.ts"
import * as RateLimitRedis from "../../../../src/integrations/redis/RateLimitRedis.ts"
import * as Redis from "../../../../src/integrations/redis/Redis.ts"
import { connectChannel } from "../../../support/messaging.ts"
import { redisUrl } from "../../../support/redis.ts"
import { newStores, storesOf } from "../../../support/stores.ts"
import { newOrganization } from "../../../support/tenants.ts"
import { makeWorld, type WorldOptions } from "../../world.ts"

const inRedis = Layer.unwrap(
  Effect.sync(() =>
    RateLimiter.layer.pipe(
      Layer.provide(RateLimitRedis.layer({ prefix: `test:limit:${randomUUID()}:` })),
      Layer.provide(Redis.layer({ url: Redacted.make(redisUrl()) }))
    )
  )
)

const counters: Readonly<Record<string, Partial<WorldOptions>>> = {
  memory: {},
  Redis: { rateLimits: Layer.orDie(inRedis) }
}

describe("POST /send", () => {
  for (const [where, limits] of Object.entries(counters))
    it.live(`does not count messages that the database refused (counters in ${where})`, () =>
      Effect.gen(function* () {
        const environment = yield* newStores
        const stores = yield* Layer.build(storesOf(environment))
        const world = yield* makeWorld({ stores: Layer.succeedContext(stores), ...limits })
        const { id: organizationId } = yield* newOrganization().pipe(Effect.provide(stores))
        const { secret } = yield* Effect.provide(
          Effect.flatMap(ApiKeys, (keys) => keys.create({ organizationId, name: "k" })),
          stores
        )
        yield* connectChannel(organizationId).pipe(Effect.provide(stores))
        const send = Effect.promise(() =>
          world.call("POST", "/api/messaging-api/send", { to: "+14155550101", type: "text", text: "Hello" }, secret)
        )
        const asOwner = (statement: string) =>
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
            Effect.provide(PgClient.layerFrom(PgClient.makeClient({ url: Redacted.make(environment.databaseUrl) })))
          )
        const remaining = ({ headers }: { readonly headers: Headers }) => headers.get("ratelimit-remaining")

        assert.strictEqual(remaining(yield* send), "19")
        yield* asOwner("ALTER TABLE messages ADD CONSTRAINT broken CHECK (false) NOT VALID")
        for (let i = 0; i < 3; i++) assert.strictEqual((yield* send).status, 500)
        yield* asOwner("ALTER TABLE messages DROP CONSTRAINT broken")
        assert.strictEqual(remaining(yield* send), "18")
      }).pipe(Effect.scoped)
    )
})
