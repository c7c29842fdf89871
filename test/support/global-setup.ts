/**
 * Starts the servers that the tests share, once per run: a PostgreSQL (`DATABASE_URL`, else an embedded one in a temporary folder) with a migrated
 * template database, and a Redis (`REDIS_URL`, else `redis-server` from the PATH). Stops both at the end, even when starting failed. Also makes the folder
 * for the programs that they share.
 */
import { Effect, Exit, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { startServer } from "./postgres-server.ts"
import { makeProgramsFolder } from "./programs.ts"
import { startRedis } from "./redis-server.ts"
import { createTemplate } from "./template.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The administrator's URL of the test server, the migrated database to copy, and its URL of the role that serves. */
    readonly postgres: { readonly adminUrl: string; readonly template: string; readonly serviceUrl: string }
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
  await Effect.runPromise(Scope.addFinalizer(scope, Effect.sync(makeProgramsFolder())))
  const start = Effect.gen(function* () {
    const [adminUrl, redisUrl] = yield* Effect.all([postgres, redis], { concurrency: 2 })
    const { name: template, serviceUrl } = yield* createTemplate(adminUrl)
    return { redisUrl, postgres: { adminUrl, template, serviceUrl } }
  })
  try {
    const { redisUrl, postgres } = await Effect.runPromise(Scope.provide(start, scope))
    project.provide("postgres", postgres)
    project.provide("redisUrl", redisUrl)
  } catch (cause) {
    await close()
    throw cause
  }
  return close
}
