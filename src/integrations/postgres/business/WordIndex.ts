/**
 * What `module_words` says of the words of a search: how many records have each, and the records themselves as lists by their time of creation. These come
 * from an index alone. A word stands for all words that begin with it.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { Module } from "../../../domain/business/records/Module.ts"
import { mostRecordsCounted } from "../../../domain/business/records/ModuleRecord.ts"

/** What is known of a word that is searched. */
export interface SearchedWord {
  readonly word: string
  /** The entries of the index that begin with it, counted until there are more than `few`, and enough to count records. */
  readonly entries: number
  /** The records of the counted entries. */
  readonly records: number
  /** The words that begin with it, one more than `mostForms` at most; empty when there are few entries. */
  readonly forms: ReadonlyArray<string>
}

interface Scope {
  readonly module: Module
  readonly organizationId: string
  readonly archived: boolean
}

/** More words with one beginning are not read as lists. */
export const mostForms = 8

/** So many more entries of a word are read than were counted. */
const spare = 100

/** Where a list begins and which way it goes. */
export interface Direction {
  readonly newest: boolean
  /** The place after which it begins. */
  readonly after: { readonly at: Date; readonly id: string } | undefined
}

/** Words of the records of an organization, archived ones apart. Fragments with lists have the columns `created_at` and `id`. */
export const makeWordIndex = (sql: PgClient.PgClient, { module, organizationId, archived }: Scope) => {
  const scope = sql`w.organization_id = ${organizationId} AND w.module = ${module} AND w.archived = ${archived}`
  const beginning = (word: Statement.Fragment) => sql`w.word >= ${word} AND w.word < ${word} || ${"\u{10ffff}"}`
  const asked = sql`asked.word COLLATE "C"`

  /** The words that begin with the word asked for: the recursion jumps from one to the next in the index. */
  const forms = sql`ARRAY(WITH RECURSIVE forms AS (
      (SELECT w.word FROM module_words w WHERE ${scope} AND ${beginning(asked)} ORDER BY w.word LIMIT 1)
      UNION ALL SELECT n.word FROM forms f, LATERAL (SELECT w.word FROM module_words w WHERE ${scope} AND w.word > f.word
        AND w.word < ${asked} || ${"\u{10ffff}"} ORDER BY w.word LIMIT 1) n)
    SELECT word FROM forms LIMIT ${sql.literal(String(mostForms + 1))})`

  return {
    lookUp: (
      words: ReadonlyArray<string>,
      few: number
    ): Effect.Effect<ReadonlyArray<SearchedWord>, SqlError.SqlError> =>
      sql<SearchedWord>`SELECT asked.word, found.entries, found.records, CASE WHEN found.entries > ${few} THEN ${forms} ELSE '{}' END AS forms
        FROM unnest(${words}::text[]) WITH ORDINALITY AS asked (word, place), LATERAL (
          SELECT count(*)::int AS entries, count(DISTINCT part.record_id)::int AS records FROM (
            SELECT w.record_id FROM module_words w WHERE ${scope} AND ${beginning(asked)} LIMIT ${Math.max(few, mostRecordsCounted) + 1}) part) found
        ORDER BY asked.place`,

    /** All records of a word, in no order. */
    all: (word: string) =>
      sql`SELECT DISTINCT w.created_at, w.record_id AS id FROM module_words w WHERE ${scope} AND ${beginning(sql`${word}`)}`,

    /** The same of a word of which so many entries were counted: PostgreSQL guesses many more. Some may have come since. */
    few: (word: string, entries: number) =>
      sql`SELECT DISTINCT created_at, id FROM (SELECT w.created_at, w.record_id AS id FROM module_words w WHERE ${scope} AND ${beginning(sql`${word}`)}
        ORDER BY w.word LIMIT ${entries + spare}) entries`,

    /** The first records with any of these words, at most `most`; all of them without it. */
    first: (forms: ReadonlyArray<string>, { newest, after }: Direction, most?: number) => {
      const direction = sql.literal(newest ? "DESC" : "ASC")
      const bound = most === undefined ? sql`` : sql`LIMIT ${most}`
      const beyond =
        after === undefined
          ? sql``
          : sql`AND (w.created_at, w.record_id) ${sql.literal(newest ? "<" : ">")} (${after.at}::timestamptz, ${after.id})`
      const lists = forms.map(
        (
          form
        ) => sql`(SELECT w.created_at, w.record_id AS id FROM module_words w WHERE ${scope} AND w.word = ${form} ${beyond}
          ORDER BY w.created_at ${direction}, w.record_id ${direction} ${bound})`
      )
      return lists.length === 1
        ? lists[0]
        : sql`SELECT DISTINCT created_at, id FROM (${sql.join(" UNION ALL ", false)(lists)}) lists
            ORDER BY created_at ${direction}, id ${direction} ${bound}`
    }
  }
}
