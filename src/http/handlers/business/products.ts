import { Effect } from "effect"
import { productFile } from "../../../domain/business/files/ProductFile.ts"
import { Products } from "../../../domain/business/products/Product.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { moduleHandlers } from "./moduleHandlers.ts"

/** Needs Products, Organizations, CustomFieldDefinitions, Imports, RowFiles and Audit. */
export const layer = group(
  AppApi,
  "products",
  Effect.fn(function* (handlers) {
    const { import: take, export: give, ...others } = yield* moduleHandlers(productFile, yield* Products)
    return handlers.handleAll(others).handleRaw("import", take).handleRaw("export", give)
  })
)
