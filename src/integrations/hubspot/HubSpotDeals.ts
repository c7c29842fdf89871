/** Deals in HubSpot. A deal names its stage by an id; the pipelines know what people call it. */
import { Effect, Schema } from "effect"
import { type AppDeal, type AppSession, mostDeals } from "../../domain/apps/AppAdapter.ts"
import { isOk } from "../../domain/apps/StatusFailure.ts"
import { askHubSpot, readHubSpot } from "./HubSpotRequests.ts"

const Value = Schema.optionalKey(Schema.NullOr(Schema.String))
const Found = Schema.Struct({
  properties: Schema.Struct({ dealname: Value, dealstage: Value, amount: Value, deal_currency_code: Value })
})
const Pipelines = Schema.Struct({
  results: Schema.Array(
    Schema.Struct({ stages: Schema.Array(Schema.Struct({ id: Schema.String, label: Schema.String })) })
  )
})

const Near = Schema.Struct({ results: Schema.Array(Schema.Struct({ toObjectId: Schema.Number })) })

/** The newest deals of a contact: ids grow. HubSpot's search knows their order, too, but is allowed only a few times a second. */
export const makeHubSpotDealsOf = (baseUrl: string) =>
  Effect.fnUntraced(function* (session: AppSession, contactId: string) {
    const path = `/crm/v4/objects/contacts/${encodeURIComponent(contactId)}/associations/deals?limit=500`
    const answer = yield* askHubSpot(baseUrl, session, { method: "GET", path })
    if (answer.status === 404) return []
    const { results } = yield* readHubSpot(Near, answer)
    return results
      .map(({ toObjectId }) => toObjectId)
      .toSorted((a, b) => b - a)
      .slice(0, mostDeals)
      .map(String)
  })

export const makeHubSpotDeals = (baseUrl: string) => {
  const stageOf = Effect.fnUntraced(function* (session: AppSession, id: string) {
    const answer = yield* askHubSpot(baseUrl, session, { method: "GET", path: "/crm/v3/pipelines/deals" })
    if (!isOk(answer)) return id
    const { results } = yield* readHubSpot(Pipelines, answer)
    return results.flatMap(({ stages }) => stages).find((stage) => stage.id === id)?.label ?? id
  })

  /** Undefined when HubSpot has no such deal. */
  return Effect.fnUntraced(function* (session: AppSession, id: string) {
    if (!/^\d{1,20}$/.test(id)) return undefined
    const path = `/crm/v3/objects/deals/${id}?properties=dealname,dealstage,amount,deal_currency_code`
    const answer = yield* askHubSpot(baseUrl, session, { method: "GET", path })
    if (answer.status === 404) return undefined
    const { dealname, dealstage, amount, deal_currency_code } = (yield* readHubSpot(Found, answer)).properties
    return {
      ...{ name: dealname ?? null, amount: amount ?? null, currency: deal_currency_code ?? null },
      stage: dealstage == null ? null : yield* stageOf(session, dealstage)
    } satisfies AppDeal
  })
}
