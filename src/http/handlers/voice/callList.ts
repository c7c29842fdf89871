/** The answer for a list of calls, of one agent or of all. */
import { Clock, Effect } from "effect"
import type { Principal } from "../../../domain/people/access/Access.ts"
import { seesCost } from "../../../domain/people/access/PeopleRules.ts"
import { Organizations } from "../../../domain/people/organizations/Organization.ts"
import { usageOf } from "../../../domain/usage/Metering.ts"
import { VoiceUsage } from "../../../domain/usage/VoiceUsage.ts"
import { Calls } from "../../../domain/voice/calls/records/CallRecord.ts"
import { type CallQuery, callFilter } from "../../wire/CallQuery.ts"
import { toPage, window } from "../../wire/Paging.ts"

/** Which calls, besides what the query says. */
interface Whose {
  readonly agentId?: string | undefined
  readonly contactId?: string | undefined
  readonly conversationId?: string | undefined
}

/** Makes the function that lists calls with their totals, which an AGENT does not get. Needs Organizations, Calls and VoiceUsage. */
export const makeListCalls = Effect.gen(function* () {
  const organizations = yield* Organizations
  const calls = yield* Calls
  const usage = yield* VoiceUsage
  return Effect.fnUntraced(function* (caller: Principal, query: CallQuery, whose: Whose) {
    const { organizationId } = caller
    const organization = yield* organizations.find(organizationId)
    const asOf = query.asOf === undefined ? yield* Clock.currentTimeMillis : Date.parse(query.asOf)
    const filter = { ...whose, ...callFilter(query, organization?.timeZone ?? "UTC", asOf) }
    const at = window(query)
    const found = yield* calls.list(organizationId, at.page, at.limit, filter)
    const totals = seesCost(caller) ? usageOf(yield* usage.ofCalls(organizationId, filter)) : null
    return { ...toPage(found, at), asOf: new Date(asOf).toISOString(), totals }
  })
})
