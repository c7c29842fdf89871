/**
 * Starts the servers that the tests share, once per run: a PostgreSQL (`DATABASE_URL`, else an embedded one in a temporary folder) with a migrated
 * template database, and a Redis (`REDIS_URL`, else `redis-server` from the PATH). Stops both at the end, even when starting failed.
 */
import { Effect, Exit, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { startServer } from "./postgres-server.ts"
import { startRedis } from "./redis-server.ts"
import { createTemplate } from "./template.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The administrator's URL of the test server, and the migrated database to copy. */
    readonly postgres: { readonly adminUrl: string; readonly template: string }
    readonly redisUrl: string
  }
}

const postgres = Effect.gen(function* () {
  const given = process.env.DATABASE_URL
  return given !== undefined && given !== "" ? given : yield* startServer
})

const redis = Effect.gen(function* () {
  const given = process.env.REDIS_URL
  return given !== undefined && given !== "" ? given : yield* startRedis
})

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scope = Scope.makeUnsafe()
  const close = () => Effect.runPromise(Scope.close(scope, Exit.void))
  const start = Effect.gen(function* () {
    const [adminUrl, redisUrl] = yield* Effect.all([postgres, redis], { concurrency: 2 })
    const template = yield* createTemplate(adminUrl)
    return { adminUrl, redisUrl, template }
  })
  try {
    const { adminUrl, redisUrl, template } = await Effect.runPromise(Scope.provide(start, scope))
    project.provide("postgres", { adminUrl, template })
    project.provide("redisUrl", redisUrl)
  } catch (cause) {
    await close()
    throw cause
  }
  return close
}
