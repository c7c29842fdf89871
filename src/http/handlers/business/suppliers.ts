import { Effect } from "effect"
import { supplierFile } from "../../../domain/business/files/PartnerFile.ts"
import { Suppliers } from "../../../domain/business/suppliers/Supplier.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { moduleHandlers } from "./moduleHandlers.ts"

/** Needs Suppliers, Organizations, CustomFieldDefinitions, Imports, RowFiles and Audit. */
export const layer = group(
  AppApi,
  "suppliers",
  Effect.fn(function* (handlers) {
    const { import: take, export: give, ...others } = yield* moduleHandlers(supplierFile, yield* Suppliers)
    return handlers.handleAll(others).handleRaw("import", take).handleRaw("export", give)
  })
)
