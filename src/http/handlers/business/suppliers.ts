import { Effect } from "effect"
import { Suppliers } from "../../../domain/business/suppliers/Supplier.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { moduleHandlers } from "./moduleHandlers.ts"

/** Needs Suppliers, Organizations, CustomFieldDefinitions and Audit. */
export const layer = group(
  AppApi,
  "suppliers",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* moduleHandlers("suppliers", yield* Suppliers))
  })
)
