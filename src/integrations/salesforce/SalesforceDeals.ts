/** Deals in Salesforce: opportunities. */
import { Effect, Schema } from "effect"
import { type AppDeal, type AppSession, mostDeals } from "../../domain/apps/AppAdapter.ts"
import { askSalesforce, queryPath, quoted, readSalesforce } from "./SalesforceRequests.ts"

const Found = Schema.Struct({
  Name: Schema.NullOr(Schema.String),
  StageName: Schema.NullOr(Schema.String),
  Amount: Schema.NullOr(Schema.Number)
})

const Roles = Schema.Struct({ records: Schema.Array(Schema.Struct({ OpportunityId: Schema.String })) })

/** The newest opportunities in which a contact has a role. */
export const salesforceDealsOf = Effect.fnUntraced(function* (session: AppSession, contactId: string) {
  const soql = `SELECT OpportunityId FROM OpportunityContactRole WHERE ContactId = ${quoted(contactId)} ORDER BY LastModifiedDate DESC LIMIT ${mostDeals}`
  const { records } = yield* readSalesforce(
    Roles,
    yield* askSalesforce(session, { method: "GET", path: queryPath(soql) })
  )
  return [...new Set(records.map(({ OpportunityId }) => OpportunityId))]
})

/** Undefined when Salesforce has no such opportunity. Its amount is in the currency of the organization. */
export const salesforceDeal = Effect.fnUntraced(function* (session: AppSession, id: string) {
  if (!/^006[A-Za-z0-9]{12}([A-Za-z0-9]{3})?$/.test(id)) return undefined
  const path = `/sobjects/Opportunity/${id}?fields=Name,StageName,Amount`
  const answer = yield* askSalesforce(session, { method: "GET", path })
  if (answer.status === 404) return undefined
  const { Name, StageName, Amount } = yield* readSalesforce(Found, answer)
  return {
    name: Name,
    stage: StageName,
    amount: Amount === null ? null : String(Amount),
    currency: null
  } satisfies AppDeal
})
