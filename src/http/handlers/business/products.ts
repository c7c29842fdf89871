import { Effect } from "effect"
import { Products } from "../../../domain/business/products/Product.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { moduleHandlers } from "./moduleHandlers.ts"

/** Needs Products, Organizations, CustomFieldDefinitions and Audit. */
export const layer = group(
  AppApi,
  "products",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* moduleHandlers("products", yield* Products))
  })
)
