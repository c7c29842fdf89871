/** Use case: an organization defines its own fields of a module. */
import { Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { Audit } from "../../people/access/Audit.ts"
import { CustomFieldDefinitions } from "./CustomFieldDefinitions.ts"
import type { CustomField } from "./CustomFields.ts"
import { makeAllowModules } from "./ManageRecords.ts"
import type { Module } from "./Module.ts"

/** Needs Organizations, CustomFieldDefinitions and Audit once; the functions it gives need nothing. */
export const makeDefineCustomFields = Effect.gen(function* () {
  const allowModules = yield* makeAllowModules
  const definitions = yield* CustomFieldDefinitions
  const audit = yield* Audit

  return {
    list: traced("DefineCustomFields.list")(function* (organizationId: string, module: Module) {
      yield* allowModules(organizationId)
      return yield* definitions.list(organizationId, module)
    }),
    define: traced("DefineCustomFields.define")(function* (
      organizationId: string,
      module: Module,
      fields: ReadonlyArray<CustomField>
    ) {
      yield* allowModules(organizationId)
      const before = yield* definitions.list(organizationId, module)
      yield* audit.recorded(organizationId, definitions.define(organizationId, module, fields), () => ({
        action: "custom_fields.defined",
        subjectId: module,
        before: { fields: before },
        after: { fields }
      }))
    })
  }
})
