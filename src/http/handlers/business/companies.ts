import { Effect } from "effect"
import { Companies } from "../../../domain/business/companies/Company.ts"
import { companyFile } from "../../../domain/business/files/PartnerFile.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { moduleHandlers } from "./moduleHandlers.ts"

/** Needs Companies, Organizations, CustomFieldDefinitions, Imports, RowFiles and Audit. */
export const layer = group(
  AppApi,
  "companies",
  Effect.fn(function* (handlers) {
    const { import: take, export: give, ...others } = yield* moduleHandlers(companyFile, yield* Companies)
    return handlers.handleAll(others).handleRaw("import", take).handleRaw("export", give)
  })
)
