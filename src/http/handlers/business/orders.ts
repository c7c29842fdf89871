import { Effect } from "effect"
import { Orders } from "../../../domain/business/orders/Order.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { moduleHandlers } from "./moduleHandlers.ts"

/** Needs Orders, Organizations, CustomFieldDefinitions and Audit. */
export const layer = group(
  AppApi,
  "orders",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* moduleHandlers("orders", yield* Orders))
  })
)
