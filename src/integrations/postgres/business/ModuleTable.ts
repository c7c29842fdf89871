/** What a module's records look like in Postgres. `ModuleRecords` works with any of them. */
import type { PgClient } from "@effect/sql-pg"
import type { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { IdPrefix } from "../../../domain/basics/Ids.ts"
import type { Module } from "../../../domain/business/records/Module.ts"
import type { InvalidRecord, ModuleRecord } from "../../../domain/business/records/ModuleRecord.ts"
import type { NewEvent } from "../../../domain/events/EventData.ts"
import type { LinkTable } from "./ModuleQuery.ts"

/** What `customFields` and times leave of a record: its module's own fields. */
export type FieldsOf<Kept extends ModuleRecord> = Omit<Kept, keyof ModuleRecord>

/** `Reported`: what a source may say of a record. */
export interface ModuleTable<Kept extends ModuleRecord, New, Changes, Reported = New> {
  readonly module: Module
  readonly prefix: IdPrefix
  /** The record's fields after an input; `before` is undefined for a new record. Runs as the tenant. `now` is Unix milliseconds. */
  readonly fields: (
    sql: PgClient.PgClient,
    organizationId: string,
    input: New | Changes | Reported,
    before: Kept | undefined,
    now: number
  ) => Effect.Effect<FieldsOf<Kept>, InvalidRecord>
  /** The columns of these fields. */
  readonly columns: (sql: PgClient.PgClient, fields: FieldsOf<Kept>) => Readonly<Record<string, unknown>>
  /** What no other record of the module may have, in the form in which it is compared, and as people read it. */
  readonly unique: (fields: FieldsOf<Kept>) => { readonly key: string; readonly has: string } | undefined
  /** A name or number as people write it, in the form of `unique`. */
  readonly keyOf: (written: string) => string
  /** A source's record takes the place of one that was made here and has its key. */
  readonly adopts?: boolean
  /** When a source's record was made there, in ISO 8601: its time in lists. Without it that is when it came. */
  readonly madeAt?: (fields: FieldsOf<Kept>) => string
  /** The texts whose words a search finds. */
  readonly texts: (fields: FieldsOf<Kept>) => ReadonlyArray<string | null>
  /** The fields of a row `r` that a list can be filtered by. */
  readonly filters: Readonly<Record<string, (sql: PgClient.PgClient, value: string) => Statement.Fragment>>
  /** Those of the filters that many records may pass. */
  readonly broadFilters?: ReadonlyArray<string>
  readonly links?: LinkTable & {
    /** The field by whose value a list shows what is linked to it. */
    readonly filter: string
    readonly of: (fields: FieldsOf<Kept>) => ReadonlyArray<string>
  }
  /** The record's fields of a row; `linked` are the ids of `links`. */
  readonly read: (row: Readonly<Record<string, unknown>>, linked: ReadonlyArray<string>) => unknown
  /** The events of a change; `before` is undefined for a new record. */
  readonly events?: (before: Kept | undefined, after: Kept) => ReadonlyArray<NewEvent>
}
