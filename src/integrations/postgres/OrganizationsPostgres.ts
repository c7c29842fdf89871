/** Organizations in Postgres. */
import { Effect, Layer, Schema } from "effect"
import { newId } from "../../domain/Ids.ts"
import { defaultDisclosureText, defaultVoiceFlag, Organization, Organizations } from "../../domain/Organization.ts"
import { iso, makeSql } from "./Sql.ts"

type Row = Omit<Organization, "createdAt" | "updatedAt"> & { readonly createdAt: Date; readonly updatedAt: Date }

const decode = (row: Row) =>
  Schema.decodeUnknownEffect(Organization)({
    ...row,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt)
  })

export const layer = Layer.effect(
  Organizations,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return Organizations.of({
      create: Effect.fn("Organizations.create")(function* (input) {
        const id = newId("org")
        const flags = { voiceAgents: defaultVoiceFlag(input.plan), voicePremium: false, ...input.flags }
        const disclosure = input.disclosureText ?? defaultDisclosureText
        const insert = sql<Row>`INSERT INTO organizations (id, name, plan, flags, time_zone, disclosure_text)
          VALUES (${id}, ${input.name}, ${input.plan}, ${sql.json(flags)}, ${input.timeZone}, ${disclosure}) RETURNING *`
        const [row] = yield* asTenant(id)(insert)
        return yield* decode(row)
      }, Effect.orDie),

      find: Effect.fn("Organizations.find")(function* (id) {
        const rows = yield* asTenant(id)(sql<Row>`SELECT * FROM organizations WHERE id = ${id}`)
        return rows.length === 0 ? undefined : yield* decode(rows[0])
      }, Effect.orDie),

      setFlags: Effect.fn("Organizations.setFlags")(function* (id, flags) {
        yield* asTenant(id)(
          sql`UPDATE organizations SET flags = flags || ${sql.json(flags)}, updated_at = now() WHERE id = ${id}`
        )
      }, Effect.orDie),

      setDisclosureText: Effect.fn("Organizations.setDisclosureText")(function* (id, text) {
        yield* asTenant(id)(
          sql`UPDATE organizations SET disclosure_text = ${text}, updated_at = now() WHERE id = ${id}`
        )
      }, Effect.orDie)
    })
  })
)
