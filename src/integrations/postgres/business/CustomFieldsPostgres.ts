/** The organizations' custom fields in Postgres. */
import { Effect, Layer, Schema } from "effect"
import { traced } from "../../../domain/basics/Traced.ts"
import { CustomFieldDefinitions } from "../../../domain/business/records/CustomFieldDefinitions.ts"
import { CustomField } from "../../../domain/business/records/CustomFields.ts"
import { makeSql } from "../tenancy/Sql.ts"

const decode = Schema.decodeUnknownEffect(Schema.Array(CustomField))

export const layer = Layer.effect(
  CustomFieldDefinitions,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return CustomFieldDefinitions.of({
      list: traced("CustomFieldDefinitions.list")(function* (organizationId, module) {
        const [row] = yield* asTenant(organizationId)(
          sql<{
            fields: unknown
          }>`SELECT fields FROM custom_fields WHERE organization_id = ${organizationId} AND module = ${module}`
        )
        return yield* decode(row?.fields ?? [])
      }, Effect.orDie),
      define: traced("CustomFieldDefinitions.define")(
        (organizationId, module, fields) =>
          asTenant(organizationId)(
            sql`INSERT INTO custom_fields (organization_id, module, fields) VALUES (${organizationId}, ${module}, ${sql.json(fields)})
              ON CONFLICT (organization_id, module) DO UPDATE SET fields = excluded.fields`
          ),
        Effect.orDie,
        Effect.asVoid
      )
    })
  })
)
