/** What an agent is told about a call that it placed: whom it called, and which deal the call is about. */
import { Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { type Contact, Contacts } from "../../../people/contacts/Contact.ts"
import type { CallRecord } from "./CallRecord.ts"
import { type Deal, Deals } from "./Deals.ts"

/** Anybody may have written the record's text, so it is cut to one line of at most 200 characters for the prompt. */
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 200)

const ofContact = ({ name, phone, tags }: Pick<Contact, "name" | "phone" | "tags">): ReadonlyArray<string> => [
  name === null ? `You have called ${phone}.` : `You have called ${oneLine(name)} (${phone}).`,
  ...(tags.length === 0 ? [] : [`The contact's tags: ${tags.map(oneLine).join(", ")}.`])
]

const ofDeal = ({ id, facts }: Deal): ReadonlyArray<string> => [
  `The call is about the deal ${oneLine(id)}.`,
  ...Object.entries(facts).map(([name, value]) => `The deal's ${oneLine(name)}: ${oneLine(value)}.`)
]

/** Pure: the sentences, most important first. */
const contextLines = (
  contact: Pick<Contact, "name" | "phone" | "tags"> | undefined,
  deal: Deal | undefined
): ReadonlyArray<string> => [
  "You have placed this call yourself; whoever speaks is the person you called.",
  ...(contact === undefined ? [] : ofContact(contact)),
  ...(deal === undefined ? [] : ofDeal(deal))
]

/** Needs the stores; the function it returns needs nothing. It returns `undefined` for an inbound call, which has no context. */
export const makeCallContext = Effect.gen(function* () {
  const contacts = yield* Contacts
  const deals = yield* Deals
  return traced("CallContext.of")(function* (call: CallRecord) {
    const { organizationId, direction, contactId, dealId } = call
    if (direction === "inbound") return undefined
    const contact = contactId === null ? undefined : yield* contacts.find(organizationId, contactId)
    const deal = dealId === null ? undefined : yield* deals.find(organizationId, dealId)
    return contextLines(contact, deal)
  })
})
