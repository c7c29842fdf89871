import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { type AutomationSource, automationOf } from "../../docs/AutomationDocs.ts"
import { madeOnce } from "../../docs/MadeOnce.ts"
import { AppApi, CustomersApi } from "../../groups/Api.ts"
import { requireScope } from "../../middleware/Authorization.ts"
import { group } from "../../server/RequestServices.ts"

const once = madeOnce()

const describing = Effect.sync(() => {
  const document: AutomationSource = JSON.parse(JSON.stringify(OpenApi.fromApi(CustomersApi)))
  return HttpServerResponse.jsonUnsafe(automationOf(document))
})

export const layer = group(
  AppApi,
  "automation",
  Effect.fn(function* (handlers) {
    const answer = yield* once(CustomersApi, describing)
    return handlers.handleRaw(
      "describe",
      Effect.fnUntraced(function* () {
        yield* requireScope("integrations:read")
        return answer
      })
    )
  })
)
