import { Effect } from "effect"
import { makeDefineCustomFields } from "../../../domain/business/records/DefineCustomFields.ts"
import { AppApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"
import { forbidden } from "./moduleHandlers.ts"

/** Needs Organizations, CustomFieldDefinitions and Audit. */
export const layer = group(
  AppApi,
  "customFields",
  Effect.fn(function* (handlers) {
    const custom = yield* makeDefineCustomFields
    return handlers.handleAll({
      get: Effect.fnUntraced(function* ({ query: { module } }) {
        const { organizationId } = yield* requireScope("modules:read")
        const fields = yield* custom.list(organizationId, module).pipe(Effect.catchTags(forbidden))
        return { module, fields }
      }),
      define: Effect.fnUntraced(function* ({ payload: { module, fields } }) {
        const { organizationId } = yield* requireScope("admin")
        yield* custom.define(organizationId, module, fields).pipe(Effect.catchTags(forbidden))
        return { module, fields }
      })
    })
  })
)
