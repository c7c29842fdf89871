/** Lists of contacts by name, by when they were last seen, or oldest first. Newest first, which is asked for most, is `list_contacts`. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Part } from "../../../../domain/basics/Listing.ts"
import { type ContactFilter, type ContactSort, mostCounted } from "../../../../domain/people/contacts/Contact.ts"
import { listNames } from "../../tenancy/ListCounts.ts"
import { listed, skipped } from "../../tenancy/Parts.ts"
import { contactColumns, contactRecords, type ContactRow as Row } from "./ContactRows.ts"
import { type SearchPatterns, searchPatterns } from "./SearchPatterns.ts"

/** A tag with more contacts is frequent. */
const fewTagged = 5_000

/** What the indexes `contacts_by_name` and `contacts_archived_by_name` have: contacts without a name come last. */
const nameKey = (of: string) => `(coalesce(nullif(${of}.searchable_name, ''), chr(1114111)) COLLATE "C")`

/** What the indexes `contacts_by_last_seen` and `contacts_archived_by_last_seen` have: who was never seen counts as seen at the beginning of time. */
const seenKey = "(coalesce(c.last_seen_at, timestamptz '1970-01-01 00:00:00+00'))"

/** Gives the function that lists a part in another order than newest first. It runs as the tenant. */
export const makeContactOrder = (sql: PgClient.PgClient) => {
  const hits = Effect.fnUntraced(function* (
    { name, inName, phone, namePart, phonePart }: SearchPatterns,
    archived: boolean,
    tag: string | undefined
  ) {
    const [{ ids, total }] = yield* sql<{ ids: ReadonlyArray<string>; total: number }>`SELECT ids, total::int
      FROM search_contacts(${name}, ${inName}, ${phone}, ${namePart}, ${phonePart}, ${archived}, ${tag ?? null}, NULL, NULL, 0, ${mostCounted}, ${mostCounted})`
    return { ids, total }
  })

  const kept = Effect.fnUntraced(function* (organizationId: string, archived: boolean, tag: string | undefined) {
    const list = tag === undefined ? listNames.contacts(archived) : listNames.tagged(tag, archived)
    const [{ total }] = yield* sql<{ total: number }>`SELECT coalesce(sum(total), 0)::int AS total FROM list_counts
      WHERE organization_id = ${organizationId} AND list = ${list}`
    return { ids: undefined, total }
  })

  /** Few contacts of a tag are looked up; among many the order is gone through. */
  const tagged = (organizationId: string, tag: string, archived: boolean, total: number) =>
    total <= fewTagged
      ? sql`c.id = ANY (ARRAY(SELECT t.contact_id FROM contact_tags t
          WHERE t.organization_id = ${organizationId} AND t.tag = ${tag} AND t.archived = ${archived}))`
      : sql`EXISTS (SELECT 1 FROM contact_tags t WHERE t.organization_id = ${organizationId} AND t.contact_id = c.id AND t.tag = ${tag})`

  return Effect.fnUntraced(function* (
    organizationId: string,
    { search, tag, archived, sort }: ContactFilter & { readonly sort: ContactSort },
    part: Part
  ) {
    const { after, limit } = part
    const byName = sort.endsWith("name")
    const bySight = sort.endsWith("lastSeenAt")
    const key = sql.literal(byName ? nameKey("c") : bySight ? seenKey : "c.created_at")
    const direction = sql.literal(sort.startsWith("-") ? "DESC" : "ASC")
    const further = sql.literal(sort.startsWith("-") ? "<" : ">")
    // The name is read where it is kept, so that no cursor has one.
    const from = (id: string, at: number) =>
      byName
        ? sql`(SELECT ${sql.literal(nameKey("p"))} FROM contacts p WHERE p.organization_id = ${organizationId} AND p.id = ${id})`
        : sql`${new Date(at)}::timestamptz`
    const patterns = search === undefined ? undefined : searchPatterns(search)
    const found =
      patterns === undefined ? yield* kept(organizationId, archived, tag) : yield* hits(patterns, archived, tag)
    const conditions = [
      sql`c.organization_id = ${organizationId}`,
      archived ? sql`c.archived_at IS NOT NULL` : sql`c.archived_at IS NULL`,
      ...(tag === undefined ? [] : [tagged(organizationId, tag, archived, found.total)]),
      ...(found.ids === undefined ? [] : [sql`c.id = ANY(${found.ids}::text[])`]),
      ...(after === undefined ? [] : [sql`(${key}, c.id) ${further} (${from(after.id, after.at)}, ${after.id})`])
    ]
    // What is skipped is not read as a record, with its identities.
    const rows =
      yield* sql<Row>`SELECT ${sql.literal(contactColumns)} FROM (SELECT c.id, ${key} AS key FROM contacts c WHERE ${sql.and(conditions)}
        ORDER BY ${key} ${direction}, c.id ${direction} LIMIT ${limit + 1} OFFSET ${skipped(part)}) p
      JOIN contacts c ON c.organization_id = ${organizationId} AND c.id = p.id ORDER BY p.key ${direction}, c.id ${direction}`
    return yield* listed(
      rows,
      part,
      found.total,
      ({ id, createdAt, lastSeenAt }: Row) => ({
        at: bySight ? (lastSeenAt?.getTime() ?? 0) : createdAt.getTime(),
        id
      }),
      contactRecords
    )
  })
}
