/** Deals in Zoho CRM. */
import { Effect, Schema } from "effect"
import { type AppDeal, type AppSession, mostDeals } from "../../domain/apps/AppAdapter.ts"
import { askZoho, isEmpty, readZoho } from "./ZohoRequests.ts"

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))
const Found = Schema.Struct({
  data: Schema.NonEmptyArray(
    Schema.Struct({
      Deal_Name: Text,
      Stage: Text,
      Amount: Schema.optionalKey(Schema.NullOr(Schema.Number)),
      Currency: Text
    })
  )
})

const Related = Schema.Struct({ data: Schema.Array(Schema.Struct({ id: Schema.String })) })

/** The newest deals of a contact. */
export const zohoDealsOf = Effect.fnUntraced(function* (session: AppSession, contactId: string) {
  const asked = new URLSearchParams({
    ...{ fields: "Deal_Name", per_page: `${mostDeals}`, sort_by: "Modified_Time", sort_order: "desc" }
  })
  const path = `/Contacts/${encodeURIComponent(contactId)}/Deals?${asked}`
  const answer = yield* askZoho(session, { method: "GET", path })
  return isEmpty(answer) ? [] : (yield* readZoho(Related, answer)).data.slice(0, mostDeals).map(({ id }) => id)
})

/** Undefined when Zoho CRM has no such deal. */
export const zohoDeal = Effect.fnUntraced(function* (session: AppSession, id: string) {
  if (!/^\d{15,22}$/.test(id)) return undefined
  const path = `/Deals/${id}?fields=Deal_Name,Stage,Amount,Currency`
  const answer = yield* askZoho(session, { method: "GET", path })
  if (isEmpty(answer)) return undefined
  const [{ Deal_Name, Stage, Amount, Currency }] = (yield* readZoho(Found, answer)).data
  return {
    ...{ name: Deal_Name ?? null, stage: Stage ?? null, currency: Currency ?? null },
    amount: Amount == null ? null : String(Amount)
  } satisfies AppDeal
})
