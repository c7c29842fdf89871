/**
 * Contacts: the people an organization talks with. A number has one contact. A contact that a channel names only by the channel's user id has no
 * number, and is reached through that channel.
 */
import { Context, type Effect, Schema } from "effect"
import { isEmail, longestEmail, noEmail } from "../../basics/Email.ts"
import { exampleIds } from "../../basics/Examples.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { contactPhone } from "../../basics/Phone.ts"
import { plainText } from "../../basics/PlainText.ts"
import type { AuditEntry } from "../access/Audit.ts"
import { Channel } from "./Channel.ts"

/** A channel's user id of a contact. */
export const ContactIdentity = Schema.Struct({ channel: Channel, userId: Schema.String })
export type ContactIdentity = typeof ContactIdentity.Type

export const Contact = Schema.Struct({
  id: Schema.String,
  organizationId: Schema.String,
  /** E.164, in its canonical form; null when only a channel's user id is known. */
  phone: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  /** Whether the contact wants messages. */
  optedIn: Schema.Boolean,
  identities: Schema.Array(ContactIdentity),
  /** Archived contacts are left out of lists and can be restored. */
  archivedAt: Schema.NullOr(Schema.String),
  /** When the contact last wrote or called; null when it never did. Kept to the minute. */
  lastSeenAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({
  identifier: "Contact",
  examples: [
    {
      id: exampleIds.contact,
      organizationId: exampleIds.organization,
      phone: "+14155550123",
      name: "Asha Rao",
      email: "asha@example.com",
      tags: ["book club"],
      optedIn: true,
      identities: [],
      archivedAt: null,
      lastSeenAt: "2026-11-24T16:05:00.000Z",
      createdAt: "2026-11-21T09:30:00.000Z",
      updatedAt: "2026-11-21T09:30:00.000Z"
    }
  ]
})
export type Contact = typeof Contact.Type

/** A contact before it is stored: it gets its times then. */
export type FreshContact = Omit<Contact, "createdAt" | "updatedAt">

const Phone = Schema.String.check(
  Schema.isMaxLength(40),
  Schema.makeFilter(
    (text: string) =>
      contactPhone(text) !== undefined || "must be a phone number with its country code, like +14155550123."
  )
)
const Email = plainText(longestEmail).check(Schema.makeFilter((text: string) => isEmail(text.trim()) || noEmail))
const Tags = Schema.Array(plainText(64)).check(Schema.isMaxLength(50))

const optional = {
  /** Null removes it. */
  name: Schema.optionalKey(Schema.NullOr(plainText(200))),
  email: Schema.optionalKey(Schema.NullOr(Email)),
  tags: Schema.optionalKey(Tags),
  optedIn: Schema.optionalKey(Schema.Boolean)
}

export const NewContact = Schema.Struct({ phone: Phone, ...optional }).annotate({
  title: "NewContact",
  examples: [{ phone: "+14155550123", name: "Asha Rao", email: "asha@example.com", tags: ["book club"], optedIn: true }]
})
export type NewContact = typeof NewContact.Type

export const ContactChanges = Schema.Struct({ phone: Schema.optionalKey(Phone), ...optional }).annotate({
  title: "ContactChanges",
  examples: [{ name: "Asha Rao-Lind", tags: ["book club", "poetry"] }]
})
export type ContactChanges = typeof ContactChanges.Type

/** The given fields as they are stored: the canonical number, trimmed texts, each tag once. Fields that are not given stay absent. */
export const tidy = <Given extends ContactChanges>(given: Given): Given => ({
  ...given,
  ...(given.phone === undefined ? {} : { phone: contactPhone(given.phone) ?? given.phone }),
  ...(given.name == null ? {} : { name: given.name.trim() }),
  ...(given.email == null ? {} : { email: given.email.trim() }),
  ...(given.tags === undefined ? {} : { tags: [...new Set(given.tags.map((tag) => tag.trim()))] })
})

/** The form of a name for searches, without case and accents, so that "jose" finds "José". */
export const searchable = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()

/** The digits of a search that can be part of a number; `undefined` when the search has other characters than those of numbers. */
export const phoneDigits = (search: string): string | undefined => {
  const digits = search.replace(/[\s+().-]/g, "")
  return /^\d+$/.test(digits) ? digits : undefined
}

/** The most hits of a search that are counted: for more hits the total is this number. */
export const mostCounted = 1_000

/**
 * How a list of contacts is ordered. A contact without a name comes after those that have one, and one that was never seen counts as seen longest ago; the
 * order that begins with a minus is the reverse.
 */
export const ContactSort = Schema.Literals(["-createdAt", "createdAt", "name", "-name", "-lastSeenAt", "lastSeenAt"])
export type ContactSort = typeof ContactSort.Type

export interface ContactFilter {
  /** A part of the name or of the number. One or two characters match only the beginning of a word or of the number. */
  readonly search?: string
  readonly tag?: string
  readonly archived: boolean
  /** Default: newest first. Of a search the newest `mostCounted` hits are ordered. */
  readonly sort?: ContactSort
}

/** 404: the organization has no such contact. */
export class NoSuchContact extends Schema.TaggedError<NoSuchContact>()("NoSuchContact", { id: Schema.String }) {}

/** 409: another contact has this number. */
export class DuplicateContact extends Schema.TaggedError<DuplicateContact>()("DuplicateContact", {
  phone: Schema.String,
  existingId: Schema.String
}) {}

/** A person as a channel names them: at least one of number (E.164) and user id. */
export interface ChannelPerson {
  readonly phone?: string
  readonly userId?: string
  readonly name?: string
  /** Where the channel has proved it. Of a person whose ids are new, the one contact with this address is the contact. */
  readonly email?: string
  /** The person's former user id, which is not valid any more. */
  readonly previousUserId?: string
}

/** The id of the API key or person who makes the change. It is stored with consents. */
type By = string

export class Contacts extends Context.Service<
  Contacts,
  {
    /**
     * Finds archived contacts too: they can still be called, and their consents still hold. Of a contact that was merged into another one it gives that
     * other one; so do all who find contacts, by id or by number.
     */
    readonly find: (organizationId: string, contactId: string) => Effect.Effect<Contact | undefined>
    /** The record with this id itself, also when it was merged into another one. */
    readonly findItself: (organizationId: string, contactId: string) => Effect.Effect<Contact | undefined>
    /** Accepts the number in any spelling. */
    readonly findByPhone: (organizationId: string, phone: string) => Effect.Effect<Contact | undefined>
    readonly list: (organizationId: string, filter: ContactFilter, part: Part) => Effect.Effect<Listed<Contact>>
    /** The first `most` tags of contacts that are not archived, in order, each once. */
    readonly tags: (organizationId: string, most: number) => Effect.Effect<ReadonlyArray<string>>
    /** Creates a contact. `entry`: its entry in the audit log, written in the same transaction. */
    readonly create: (
      organizationId: string,
      input: NewContact,
      by: By,
      entry?: (made: FreshContact) => AuditEntry
    ) => Effect.Effect<Contact, DuplicateContact>
    /**
     * Creates many contacts, in one transaction and in order. Gives for each whether it was created; the number of another is known, or was further up.
     * `entry` as for `create`.
     */
    readonly createAll: (
      organizationId: string,
      inputs: ReadonlyArray<NewContact>,
      by: By,
      entry: (made: FreshContact) => AuditEntry
    ) => Effect.Effect<ReadonlyArray<boolean>>
    /** Locks the contacts that have one of these numbers (E.164) until the transaction around it ends, in the order in which all lock contacts. */
    readonly hold: (organizationId: string, phones: ReadonlyArray<string>) => Effect.Effect<void>
    /** The contacts that have one of these numbers (E.164), also archived ones. */
    readonly withPhones: (
      organizationId: string,
      phones: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, Contact>>
    /** Creates the contact with this number, or changes its given fields and restores it from the archive. */
    readonly save: (
      organizationId: string,
      input: NewContact,
      by: By
    ) => Effect.Effect<{ readonly contact: Contact; readonly created: boolean }>
    /** `undefined` when there is no such contact. */
    readonly update: (
      organizationId: string,
      contactId: string,
      changes: ContactChanges,
      by: By
    ) => Effect.Effect<Contact | undefined, DuplicateContact>
    /** Archives or restores a contact; `undefined` when there is no such contact. */
    readonly setArchived: (
      organizationId: string,
      contactId: string,
      archived: boolean
    ) => Effect.Effect<Contact | undefined>
    /**
     * Finds or creates the contact of a person on a channel, by the number first and by the channel's user id second. It stores a number, id or name
     * that was missing. When a contact with only a user id turns out to have the number of another contact, the two become that other contact, which
     * gets the conversations of both.
     */
    readonly identify: (organizationId: string, channel: Channel, person: ChannelPerson) => Effect.Effect<Contact>
  }
>()("parley/domain/Contacts") {}
