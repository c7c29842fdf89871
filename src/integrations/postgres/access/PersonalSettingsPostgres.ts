/** What people have chosen for the dashboard, in Postgres. */
import { Effect, Layer } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import {
  mostPreferences,
  type PersonalSettings,
  PersonalSettingsStore,
  TooManyPreferences
} from "../../../domain/people/access/PersonalSettings.ts"
import { makeSql, within } from "../tenancy/Sql.ts"

export const layer = Layer.effect(
  PersonalSettingsStore,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return PersonalSettingsStore.of({
      find: traced("PersonalSettings.find")(function* (organizationId, userId) {
        const [row] = yield* asTenant(organizationId)(
          sql<PersonalSettings & { readonly timeZone: string }>`SELECT u.locale, u.preferences, o.time_zone
            FROM users u JOIN organizations o ON o.id = u.organization_id WHERE u.id = ${userId}`
        )
        return row
      }, Effect.orDie),

      change: traced("PersonalSettings.change")((organizationId, userId, { locale, preferences }) =>
        within(asTenant(organizationId))(
          Effect.gen(function* () {
            if (locale !== undefined) yield* sql`UPDATE users SET locale = ${locale} WHERE id = ${userId}`
            if (preferences === undefined) return
            // Only what is null at the top was taken back: a null inside a preference is a part of it.
            const removed = Object.keys(preferences).filter((name) => preferences[name] === null)
            const [changed] = yield* sql<{ bytes: number }>`UPDATE users
              SET preferences = (preferences || ${sql.json(preferences)}) - ${removed}::text[]
              WHERE id = ${userId} RETURNING octet_length(preferences::text) AS bytes`
            if (changed !== undefined && changed.bytes > mostPreferences) return yield* new TooManyPreferences()
          })
        ).pipe(Effect.catchTag("SqlError", Effect.die))
      )
    })
  })
)
