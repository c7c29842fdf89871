/** Contacts in the stores of a test. */
import { Effect } from "effect"
import { Contacts, type NewContact } from "../../src/domain/people/contacts/Contact.ts"

/** Creates or changes the contact, as a request with an API key would. */
export const savedContact = Effect.fnUntraced(function* (organizationId: string, input: NewContact) {
  const { contact } = yield* (yield* Contacts).save(organizationId, input, "key_test")
  return { ...contact, phone: contact.phone ?? "" }
})
