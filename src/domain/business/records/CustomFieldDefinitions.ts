import { Context, type Effect } from "effect"
import type { CustomField } from "./CustomFields.ts"
import type { Module } from "./Module.ts"

/** Port of the organizations' custom fields. */
export class CustomFieldDefinitions extends Context.Service<
  CustomFieldDefinitions,
  {
    readonly list: (organizationId: string, module: Module) => Effect.Effect<ReadonlyArray<CustomField>>
    /** Replaces all custom fields of the module. */
    readonly define: (organizationId: string, module: Module, fields: ReadonlyArray<CustomField>) => Effect.Effect<void>
  }
>()("parley/domain/CustomFieldDefinitions") {}
