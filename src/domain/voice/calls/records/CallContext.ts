/** What an agent is told of a call it placed: whom it called, and which deal it is about. */
import { Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { type Contact, Contacts } from "../../../people/contacts/Contact.ts"
import type { CallRecord } from "./CallRecord.ts"
import { type Deal, Deals } from "./Deals.ts"

/** Records are written by anybody; in the prompt each stays one line. */
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

/** Needs the stores once; the function it gives needs nothing. An inbound call has no context beyond its caller. */
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
