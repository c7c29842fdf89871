/** Salesforce. Connected by OAuth, when the operator has an External Client App there. */
import { Effect, Schema } from "effect"
import { type AppAdapter, AppFailure } from "../../domain/apps/AppAdapter.ts"
import { dailyPaceMs } from "../../domain/apps/adapters/DailyPace.ts"
import { linkForTags } from "../../domain/apps/adapters/TagField.ts"
import type { AppClient } from "../../domain/apps/adapters/TokenEndpoint.ts"
import { linkOf } from "../../domain/apps/adapters/UpsertContact.ts"
import { makeSalesforceAuthorization } from "./SalesforceAuthorization.ts"
import { salesforceFields, upsertSalesforceContact } from "./SalesforceContacts.ts"
import { salesforceDeal, salesforceDealsOf } from "./SalesforceDeals.ts"
import { askSalesforce, queryPath, readSalesforce } from "./SalesforceRequests.ts"
import { salesforcePull, syncSalesforceTags } from "./SalesforceTags.ts"
import { noteSalesforceConversation } from "./SalesforceTasks.ts"

export interface SalesforceOptions {
  /** Where a person agrees: `https://login.salesforce.com`, or a sandbox's. */
  readonly loginUrl: string
  /** The operator's app; absent: Salesforce cannot be connected. */
  readonly client?: AppClient
}

const Organizations = Schema.Struct({
  records: Schema.Array(Schema.Struct({ Id: Schema.String, Name: Schema.String }))
})

const Described = Schema.Struct({
  fields: Schema.Array(
    Schema.Struct({
      ...{ name: Schema.String, label: Schema.String, type: Schema.String },
      ...{ createable: Schema.Boolean, updateable: Schema.Boolean }
    })
  )
})

/** `api-usage=18/15000`: the requests of the last 24 hours, and the most there may be. */
const usageForm = /api-usage=(\d+)\/(\d+)/

export const make = ({ loginUrl, client }: SalesforceOptions): AppAdapter => ({
  ...(client === undefined ? {} : { oauth: makeSalesforceAuthorization(loginUrl, client) }),
  rate: { requests: 100, windowMs: 10_000 },
  atOnce: 4,
  problem: ({ credentials }) =>
    credentials.accessToken === undefined
      ? "Salesforce is connected by authorizing it: POST /api/integrations/salesforce/authorize."
      : undefined,
  identify: Effect.fnUntraced(function* (session) {
    const path = queryPath("SELECT Id, Name FROM Organization")
    const { records } = yield* readSalesforce(Organizations, yield* askSalesforce(session, { method: "GET", path }))
    if (records.length === 0)
      return yield* new AppFailure({ action: "retry", message: "Salesforce did not say which organization it is." })
    return { id: records[0].Id, name: records[0].Name }
  }),
  push: Effect.fnUntraced(function* (session, { change, again, links }) {
    const { contact } = change
    const fields = salesforceFields(contact, session.settings.mapping)
    const before = linkOf(links, "contact", contact.id)
    const plain = yield* upsertSalesforceContact(session, contact, fields, linkForTags(session, before, contact.tags))
    const person = yield* syncSalesforceTags(session, plain, before, contact.tags)
    if (!("conversation" in change)) return [person]
    const known = linkOf(links, "conversation", change.conversation.id)
    return [person, yield* noteSalesforceConversation(session, change.conversation, person.remoteId, known, again)]
  }),
  fields: Effect.fnUntraced(function* (session) {
    const { fields } = yield* readSalesforce(
      Described,
      yield* askSalesforce(session, { method: "GET", path: "/sobjects/Contact/describe" })
    )
    return fields.map(({ name, label, type, createable, updateable }) => ({
      ...{ name, label, type, writable: createable && updateable }
    }))
  }),
  pull: salesforcePull,
  deal: salesforceDeal,
  dealsOf: salesforceDealsOf,
  slowDown: (headers) => {
    const [, used, limit] = usageForm.exec(headers["sforce-limit-info"] ?? "") ?? []
    return used === undefined ? undefined : dailyPaceMs(Number(limit), Number(limit) - Number(used))
  }
})
