/** OAuth clients that registered themselves, in Postgres. They belong to no organization, so they are reached by functions alone. */
import { randomBytes, timingSafeEqual } from "node:crypto"
import { Clock, Effect, Layer } from "effect"
import { isId, newId } from "../../../domain/basics/Ids.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { mostUnusedClients, OAuthClients } from "../../../domain/people/oauth/OAuthClient.ts"
import { tokenHash } from "../../secrets/TokenHash.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { lookUpOAuthClient, registerOAuthClient, useOAuthClient } from "./AcrossTenants.ts"

export const layer = Layer.effect(
  OAuthClients,
  Effect.gen(function* () {
    const { sql } = yield* makeSql

    return OAuthClients.of({
      register: traced("OAuthClients.register")(function* ({ name, redirectUris, confidential }) {
        const now = yield* Clock.currentTimeMillis
        const id = newId("ocl", now)
        const secret = confidential ? randomBytes(32).toString("base64url") : undefined
        const secretHash = secret === undefined ? null : tokenHash(secret)
        yield* registerOAuthClient(sql, { id, name, redirectUris, secretHash }, new Date(now), mostUnusedClients)
        return { id, secret }
      }, Effect.orDie),

      find: traced("OAuthClients.find")(function* (id) {
        return isId("ocl", id) ? yield* lookUpOAuthClient(sql, id) : undefined
      }, Effect.orDie),

      isSecret: ({ secretHash }, secret) =>
        secretHash !== null && timingSafeEqual(Buffer.from(secretHash, "hex"), Buffer.from(tokenHash(secret), "hex")),

      used: traced("OAuthClients.used")(function* (id) {
        if (isId("ocl", id)) yield* useOAuthClient(sql, id, new Date(yield* Clock.currentTimeMillis))
      }, Effect.orDie)
    })
  })
)
