/** Several processes of the app on one database, which find each other, and queries about them. */
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { ApiKeys } from "../../src/domain/people/access/ApiKey.ts"
import { makeSql } from "../../src/integrations/postgres/tenancy/Sql.ts"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import type { Answer } from "./access.ts"
import { eventually } from "./eventually.ts"
import { temporaryFolder } from "./folder.ts"
import { ready, spawned } from "./process.ts"
import { newStores, storesOf, variablesOf } from "./stores.ts"
import { newOrganization } from "./tenants.ts"

/** Resolves when this many processes share the ownership and nothing moves any more. */
export const balanced = (sql: SqlClient.SqlClient) => (members: number) =>
  eventually(
    `${members} processes that share the conversations`,
    async () => {
      const rows = await Effect.runPromise(
        sql<{ locks: number }>`SELECT count(*)::int AS locks FROM pg_locks l JOIN pg_database d ON d.oid = l.database
          WHERE locktype = 'advisory' AND objsubid = 2 AND d.datname = current_database() GROUP BY pid HAVING count(*) > 50`
      )
      const locks = rows.map(({ locks }) => locks)
      return locks.length === members && locks.reduce((sum, more) => sum + more, 0) === 300 ? true : undefined
    },
    40
  )

/** Lives as long as the scope: a database with one organization, and `start`, which starts one more process on it. */
export const makeCluster = Effect.gen(function* () {
  const environment = yield* newStores
  const { databaseUrl } = environment
  const dataDir = yield* temporaryFolder("cluster")
  const stores = yield* Layer.build(storesOf(environment, 4))
  const provided = Effect.provide(stores)
  const { id: organizationId } = yield* newOrganization().pipe(provided)
  const { secret: key } = yield* Effect.flatMap(ApiKeys, (keys) => keys.create({ organizationId, name: "k" })).pipe(
    provided
  )

  const start = Effect.fnUntraced(function* (env: Readonly<Record<string, string>> = {}) {
    const [port, clusterPort] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
    const parley = yield* spawned(["--role", "app"], {
      NODE_ENV: "development",
      PORT: `${port}`,
      DATA_DIR: dataDir,
      ...variablesOf(environment),
      CLUSTER_HOST: "127.0.0.1",
      CLUSTER_PORT: `${clusterPort}`,
      RATE_LIMIT_PER_MINUTE: "0",
      DRAIN_SECONDS: "0",
      // Nothing is asked of this provider, but without one the simulators would be started.
      REASONING_API_KEY: "unused",
      ...env
    })
    const baseUrl = `http://127.0.0.1:${port}`
    yield* ready(parley, baseUrl)

    /** `path` from the root, or within the messaging interface. Never rejects: 0 is the status of a request that got no answer. */
    const call = (method: string, path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      fetch(path.startsWith("/api/") ? `${baseUrl}${path}` : `${baseUrl}/api/messaging-api${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: JSON.stringify(body)
      }).then(
        async (response): Promise<Answer> => ({
          status: response.status,
          body: await response.json(),
          headers: response.headers
        }),
        (): Answer => ({ status: 0, body: {}, headers: new Headers() })
      )

    /** Repeats the request with the same Idempotency-Key while it gets no answer or a 5xx, as clients do. */
    const persistently = async (method: string, path: string, body: unknown, key?: string): Promise<Answer> => {
      const until = performance.now() + 30_000
      for (;;) {
        const answer = await call(method, path, body, key === undefined ? {} : { "idempotency-key": key })
        const final = answer.status !== 0 && answer.status !== 409 && answer.status < 500
        if (final || performance.now() > until) return answer
        await new Promise((done) => setTimeout(done, 200))
      }
    }
    return { ...parley, baseUrl, call, persistently }
  })

  const { sql, asTenant } = yield* makeSql.pipe(provided)

  return {
    databaseUrl,
    organizationId,
    start,
    balanced: balanced(sql),
    provided,
    sql,
    asTenant: asTenant(organizationId)
  }
})
export type TestCluster = Effect.Success<typeof makeCluster>
