/** The contact of the examples in the documentation. */
import { Schema } from "effect"
import { Contact } from "../../src/domain/people/contacts/Contact.ts"

export const exampleContact: Contact = Schema.decodeUnknownSync(Contact)({
  ...{ id: "ctc_01K0000000000000000000000A", organizationId: "org_01K0000000000000000000000A" },
  ...{ phone: "+14155550123", name: "Asha Rao", email: "asha@example.com", tags: ["book club"], optedIn: true },
  ...{
    identities: [],
    archivedAt: null,
    lastSeenAt: null,
    createdAt: "2026-11-21T09:30:00.000Z",
    updatedAt: "2026-11-21T09:30:00.000Z"
  }
})
