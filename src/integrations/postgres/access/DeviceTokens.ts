/**
 * Encrypts tokens of devices that are stored as they are: those from before tokens were encrypted. The keys are not in the database, so no migration
 * can do it. An older process that still runs beside this one may add such tokens, so every process looks again each hour.
 */
import { Effect, Layer } from "effect"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { KeyRing } from "../../secrets/KeyRing.ts"
import { keyedHashes, sealPushToken } from "../../secrets/PushTokens.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { freeDeviceToken, organizationsWithPlainTokens } from "./AcrossTenants.ts"

const every = "1 hour"
const batch = 100

/** Encrypts all of them. Gives how many those were. Needs KeyRing and the database. */
export const makeSealTokens = Effect.gen(function* () {
  const { sql, asTenant } = yield* makeSql
  const ring = yield* KeyRing

  const sealBatch = (organizationId: string) =>
    asTenant(organizationId)(
      Effect.gen(function* () {
        const rows = yield* sql<{ id: string; token: string }>`SELECT id, token FROM devices WHERE token IS NOT NULL
          ORDER BY id LIMIT ${batch} FOR NO KEY UPDATE SKIP LOCKED`
        for (const { id, token } of rows) {
          const { sealedToken, hash } = yield* sealPushToken(ring, organizationId, token)
          // An older process did not find a device that has the token encrypted. Whoever registered it later has it.
          yield* freeDeviceToken(sql, keyedHashes(ring, token))
          yield* sql`UPDATE devices SET token = NULL, sealed_token = ${sealedToken}, token_hash = ${hash} WHERE id = ${id}`
        }
        return rows.length
      })
    )

  return Effect.gen(function* () {
    let sealed = 0
    for (const organizationId of yield* organizationsWithPlainTokens(sql))
      for (let done = batch; done === batch; sealed += done) done = yield* sealBatch(organizationId)
    if (sealed > 0) yield* Effect.logInfo("tokens of devices were encrypted", { sealed })
    return sealed
  })
})

/** Needs KeyRing and the database. */
export const layer = Layer.effectDiscard(
  Effect.flatMap(makeSealTokens, (sealTokens) =>
    periodically("tokens of devices could not be encrypted", { every }, sealTokens)
  )
)
