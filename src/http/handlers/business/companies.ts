import { Effect } from "effect"
import { Companies } from "../../../domain/business/companies/Company.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { moduleHandlers } from "./moduleHandlers.ts"

/** Needs Companies, Organizations, CustomFieldDefinitions and Audit. */
export const layer = group(
  AppApi,
  "companies",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* moduleHandlers("companies", yield* Companies))
  })
)
