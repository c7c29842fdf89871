import { Effect } from "effect"
import { orderFile } from "../../../domain/business/files/OrderFile.ts"
import { Orders } from "../../../domain/business/orders/Order.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { moduleHandlers } from "./moduleHandlers.ts"

/** Needs Orders, Organizations, CustomFieldDefinitions, Imports, RowFiles and Audit. */
export const layer = group(
  AppApi,
  "orders",
  Effect.fn(function* (handlers) {
    const { import: take, export: give, ...others } = yield* moduleHandlers(orderFile, yield* Orders)
    return handlers.handleAll(others).handleRaw("import", take).handleRaw("export", give)
  })
)
