/** Deals in Salesforce: opportunities. */
import { Effect, Schema } from "effect"
import type { AppDeal, AppSession } from "../../domain/apps/AppAdapter.ts"
import { askSalesforce, readSalesforce } from "./SalesforceRequests.ts"

const Found = Schema.Struct({
  Name: Schema.NullOr(Schema.String),
  StageName: Schema.NullOr(Schema.String),
  Amount: Schema.NullOr(Schema.Number)
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
