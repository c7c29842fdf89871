/**
 * Use case: people and API keys create and change contacts. The audit log records each change. The log is never changed, but a contact can be erased:
 * so an entry names the personal fields that changed, without their values.
 */
import { Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import { Audit, changedFields } from "../access/Audit.ts"
import { type Contact, type ContactChanges, Contacts, type FreshContact, type NewContact } from "./Contact.ts"

/** The fields of a contact in the audit log: personal fields only say that they have a value; `optedIn` and `archivedAt` are in clear. */
const shown = (contact: object): object => {
  const { optedIn, archivedAt, ...personal } = contact as Partial<Contact>
  const masked = Object.entries(personal).map(([name, value]) => [
    name,
    value === null || (Array.isArray(value) && value.length === 0) ? null : "(personal)"
  ])
  return { ...Object.fromEntries(masked), optedIn, archivedAt }
}

const fields = ({ phone, name, email, tags, optedIn, archivedAt }: FreshContact) => ({
  phone,
  name,
  email,
  tags,
  optedIn,
  archivedAt
})

/** The fields that changed, masked. */
export const contactChange = (before: Contact, after: Contact) => changedFields(fields(before), fields(after), shown)

/** Needs Contacts and Audit once; the functions it gives need nothing. `by`: the id of the key or person. */
export const makeManageContacts = Effect.gen(function* () {
  const contacts = yield* Contacts
  const audit = yield* Audit

  const made = (contact: FreshContact) => ({
    action: "contact.created",
    subjectId: contact.id,
    after: shown(fields(contact))
  })

  const create = (organizationId: string, input: NewContact, by: string) =>
    contacts.create(organizationId, input, by, made)

  const createAll = (organizationId: string, inputs: ReadonlyArray<NewContact>, by: string) =>
    contacts.createAll(organizationId, inputs, by, made)

  const upsert = Effect.fnUntraced(function* (organizationId: string, input: NewContact, by: string) {
    const before = yield* contacts.findByPhone(organizationId, input.phone)
    return { before, ...(yield* contacts.save(organizationId, input, by)) }
  })

  const save = traced("ManageContacts.save")((organizationId: string, input: NewContact, by: string) =>
    audit.recorded(organizationId, upsert(organizationId, input, by), ({ before, contact }) =>
      before === undefined
        ? made(contact)
        : { action: "contact.updated", subjectId: contact.id, ...contactChange(before, contact) }
    )
  )

  /** Changes a contact and records the change; `undefined`, without an entry, when there is no such contact. */
  const changed = Effect.fnUntraced(function* <E>(
    organizationId: string,
    contactId: string,
    action: string,
    change: Effect.Effect<Contact | undefined, E>
  ) {
    const before = yield* contacts.findItself(organizationId, contactId)
    if (before === undefined) return undefined
    return yield* audit.recorded(organizationId, change, (after) => ({
      action,
      subjectId: contactId,
      ...(after === undefined ? {} : contactChange(before, after))
    }))
  })

  const update = traced("ManageContacts.update")(
    (organizationId: string, contactId: string, changes: ContactChanges, by: string) =>
      changed(organizationId, contactId, "contact.updated", contacts.update(organizationId, contactId, changes, by))
  )

  const setArchived = traced("ManageContacts.setArchived")(
    (organizationId: string, contactId: string, archived: boolean) =>
      changed(
        organizationId,
        contactId,
        archived ? "contact.archived" : "contact.restored",
        contacts.setArchived(organizationId, contactId, archived)
      )
  )

  return { create, createAll, save, update, setArchived }
})
