/**
 * The people an organization talks with. One contact per number; a contact that a channel names only by its own user id has no number, and
 * is reached through that channel.
 */
import { Context, type Effect, Schema } from "effect"
import { isEmail, noEmail } from "../../basics/Email.ts"
import type { Listed, Part } from "../../basics/Listing.ts"
import { contactPhone } from "../../basics/Phone.ts"
import { plainText } from "../../basics/PlainText.ts"
import type { AuditEntry } from "../access/Audit.ts"
import { Channel } from "./Channel.ts"

/** How a channel knows a contact. */
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
  /** Whether the contact wants to get messages. */
  optedIn: Schema.Boolean,
  identities: Schema.Array(ContactIdentity),
  /** Archived contacts are left out of lists and can be restored. */
  archivedAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
}).annotate({ identifier: "Contact" })
export type Contact = typeof Contact.Type

/** A contact that is being made: its times are those of the moment in which it is stored. */
export type FreshContact = Omit<Contact, "createdAt" | "updatedAt">

const Phone = Schema.String.check(
  Schema.isMaxLength(40),
  Schema.makeFilter(
    (text: string) =>
      contactPhone(text) !== undefined || "must be a phone number with its country code, like +14155550123."
  )
)
const Email = plainText(254).check(Schema.makeFilter((text: string) => isEmail(text.trim()) || noEmail))
const Tags = Schema.Array(plainText(64)).check(Schema.isMaxLength(50))

const optional = {
  /** Null removes it. */
  name: Schema.optionalKey(Schema.NullOr(plainText(200))),
  email: Schema.optionalKey(Schema.NullOr(Email)),
  tags: Schema.optionalKey(Tags),
  optedIn: Schema.optionalKey(Schema.Boolean)
}

export const NewContact = Schema.Struct({ phone: Phone, ...optional })
export type NewContact = typeof NewContact.Type

export const ContactChanges = Schema.Struct({ phone: Schema.optionalKey(Phone), ...optional })
export type ContactChanges = typeof ContactChanges.Type

/** As it is stored: the canonical number, no blanks around, every tag once. What is not given stays away. */
export const tidy = <Given extends ContactChanges>(given: Given): Given => ({
  ...given,
  ...(given.phone === undefined ? {} : { phone: contactPhone(given.phone) ?? given.phone }),
  ...(given.name == null ? {} : { name: given.name.trim() }),
  ...(given.email == null ? {} : { email: given.email.trim() }),
  ...(given.tags === undefined ? {} : { tags: [...new Set(given.tags.map((tag) => tag.trim()))] })
})

/** What a name is found by: without case and accents, so that "jose" finds "José". */
export const searchable = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim()

/** The digits of a search that can be part of a number, `undefined` for one that has anything else in it. */
export const phoneDigits = (search: string): string | undefined => {
  const digits = search.replace(/[\s+().-]/g, "")
  return /^\d+$/.test(digits) ? digits : undefined
}

/** The total of a search is counted so far; more are said to be so many. */
export const mostCounted = 1_000

export interface ContactFilter {
  /** Part of the name, or of the number; one or two characters are the beginning of a word, or of the number. */
  readonly search?: string
  readonly tag?: string
  readonly archived: boolean
}

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
  /** The user id the person had before, which leads to nobody any more. */
  readonly previousUserId?: string
}

/** Who writes: the id of an API key or a person, kept with consents. */
type By = string

export class Contacts extends Context.Service<
  Contacts,
  {
    /** Also an archived contact: it can still be called, and what it consented to still holds. */
    readonly find: (organizationId: string, contactId: string) => Effect.Effect<Contact | undefined>
    /** Any way of writing the number. */
    readonly findByPhone: (organizationId: string, phone: string) => Effect.Effect<Contact | undefined>
    readonly list: (organizationId: string, filter: ContactFilter, part: Part) => Effect.Effect<Listed<Contact>>
    /** `entry`: what the audit log says of it, written with it. */
    readonly create: (
      organizationId: string,
      input: NewContact,
      by: By,
      entry?: (made: FreshContact) => AuditEntry
    ) => Effect.Effect<Contact, DuplicateContact>
    /** Makes the contact with this number, or changes what is given of it and brings it back from the archive. */
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
    readonly setArchived: (
      organizationId: string,
      contactId: string,
      archived: boolean
    ) => Effect.Effect<Contact | undefined>
    /**
     * The contact a channel speaks of, made if new. The number counts first, the channel's user id second; what was not known yet of them and
     * of the name is noted. Somebody known by an id alone, who turns out to have a number that another contact has, becomes that contact:
     * their conversations move there.
     */
    readonly identify: (organizationId: string, channel: Channel, person: ChannelPerson) => Effect.Effect<Contact>
  }
>()("parley/domain/Contacts") {}
