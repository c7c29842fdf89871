/** Converts database rows of contacts into records. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { Contact } from "../../../../domain/people/contacts/Contact.ts"
import { columnsOf } from "../../tenancy/Columns.ts"
import { iso, isoOrNull } from "../../tenancy/Sql.ts"

export interface ContactRow extends Omit<Contact, "archivedAt" | "lastSeenAt" | "createdAt" | "updatedAt"> {
  readonly archivedAt: Date | null
  readonly lastSeenAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The columns of a contact's record, selected from `contacts c`. */
export const contactColumns = `c.*, (SELECT coalesce(json_agg(json_build_object('channel', i.channel, 'userId', i.user_id)
    ORDER BY i.channel, i.user_id), '[]') FROM contact_identities i
  WHERE i.organization_id = c.organization_id AND i.contact_id = c.id) AS identities`

const columns = "id organization_id phone name email tags opted_in archived_at last_seen_at created_at updated_at"

/** The columns of a contact's record without its identities. `of` names an SQL column that holds a whole row of `contacts`. */
export const contactRowColumns = (of: string): string => columnsOf(of, columns)

/** The same columns, prefixed with `contact_` for use beside another record. */
export const contactBeside = (of: string): string => columnsOf(of, columns, "contact_")

type Beside<Row> = { readonly [Name in keyof Row & string as `contact${Capitalize<Name>}`]: Row[Name] }

/** What `contactBeside` selects, and the identities of the contact. */
export type RowWithContact = (Beside<Omit<ContactRow, "identities">> | { readonly contactId: null }) &
  Pick<ContactRow, "identities">

/** The row of the contact in a combined row; undefined where there is none. */
export const contactOfRow = (row: RowWithContact): ContactRow | undefined =>
  row.contactId === null
    ? undefined
    : {
        ...{ id: row.contactId, organizationId: row.contactOrganizationId, phone: row.contactPhone },
        ...{ name: row.contactName, email: row.contactEmail, tags: row.contactTags, optedIn: row.contactOptedIn },
        ...{ archivedAt: row.contactArchivedAt, lastSeenAt: row.contactLastSeenAt },
        ...{ createdAt: row.contactCreatedAt, updatedAt: row.contactUpdatedAt },
        identities: row.identities
      }

const decodeContact = Schema.decodeUnknownEffect(Contact)
const decodeContacts = Schema.decodeUnknownEffect(Schema.Array(Contact))

const unchecked = (row: ContactRow) => ({
  ...row,
  archivedAt: isoOrNull(row.archivedAt),
  lastSeenAt: isoOrNull(row.lastSeenAt),
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt)
})

/** The record of a row. Fails when the row does not match the domain's schema. */
export const contactRecord = (row: ContactRow) => decodeContact(unchecked(row))
export const contactRecords = (rows: ReadonlyArray<ContactRow>) => decodeContacts(rows.map(unchecked))

/** The record of the first row; undefined when there is none. */
export const firstContact = (rows: ReadonlyArray<ContactRow>) =>
  rows.length === 0 ? Effect.succeed(undefined) : contactRecord(rows[0])

/** The contact with this id, as its record. */
export const contactWithId = (sql: PgClient.PgClient, id: string) =>
  Effect.flatMap(
    sql<ContactRow>`SELECT ${sql.literal(contactColumns)} FROM contacts c WHERE c.id = ${id}`,
    firstContact
  )
