/** All stores over a database, which several processes of a test may share. */
import { randomBytes } from "node:crypto"
import { Effect, Layer, Redacted } from "effect"
import * as Database from "../../src/integrations/postgres/database/Database.ts"
import * as Repositories from "../../src/integrations/postgres/Repositories.ts"
import * as KeyRing from "../../src/integrations/secrets/KeyRing.ts"
import { freshDatabaseUrl } from "./postgres.ts"

export interface StoresEnvironment {
  readonly databaseUrl: string
  readonly ring: string
}

/** A key ring with one new key. */
export const newRing = (): string => `test:${randomBytes(32).toString("base64")}`

/** A new database, and a key ring with one new key. */
export const newStores = Effect.map(
  freshDatabaseUrl,
  (databaseUrl): StoresEnvironment => ({ databaseUrl, ring: newRing() })
)

export const storesOver = <A, E, R>(database: Layer.Layer<A, E, R>, ring: string) =>
  Repositories.layer.pipe(Layer.provideMerge(Layer.merge(database, KeyRing.layer({ ring: Redacted.make(ring) }))))

export const storesOf = ({ databaseUrl, ring }: StoresEnvironment, maxConnections = 5) =>
  storesOver(Database.layer({ url: Redacted.make(databaseUrl), maxConnections }), ring)

/** The environment variables that give these stores to another process. */
export const variablesOf = ({ databaseUrl, ring }: StoresEnvironment) => ({
  DATABASE_URL: databaseUrl,
  ENCRYPTION_KEYS: ring
})

/** The inverse of `variablesOf`. */
export const environmentOf = ({ DATABASE_URL = "", ENCRYPTION_KEYS = "" }: NodeJS.ProcessEnv): StoresEnvironment => ({
  databaseUrl: DATABASE_URL,
  ring: ENCRYPTION_KEYS
})

/** For a process that is to be killed: at the step FREEZE_AT it prints `frozen at <step>` and does nothing more, at any step. */
export const freezing = <Step extends string>({ FREEZE_AT }: NodeJS.ProcessEnv) => {
  let frozen = false
  return (step: Step): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (FREEZE_AT === step && !frozen) console.log(`frozen at ${step}.`)
      frozen ||= FREEZE_AT === step
      return frozen ? Effect.never : Effect.void
    })
}

/** Packs the variables of several services that one process is to run concurrently. `eachOf` is the inverse. */
export const variablesOfAll = (all: ReadonlyArray<Readonly<Record<string, string>>>) => ({ EACH: JSON.stringify(all) })

/** The variables of each service that this process is to run. */
export const eachOf = ({ EACH = "[]" }: NodeJS.ProcessEnv): ReadonlyArray<Readonly<Record<string, string>>> =>
  JSON.parse(EACH)
