/** What the records of all modules have in common, and how they are kept. */
import { Data, type Effect, Schema } from "effect"
import type { Listed, Part } from "../../basics/Listing.ts"
import { CustomValues } from "./CustomFields.ts"
import { type Origin, RecordSource, type ReportOutcome } from "./Source.ts"

/** What the records of all modules have. */
export const recordFields = {
  id: Schema.String,
  organizationId: Schema.String,
  /** The values of the organization's own fields. */
  customFields: CustomValues,
  /** Where it comes from; null for a record that was made here. */
  source: Schema.NullOr(RecordSource),
  /** Archived records are left out of lists and can be restored. */
  archivedAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  updatedAt: Schema.String
}

export interface ModuleRecord {
  readonly id: string
  readonly organizationId: string
  readonly customFields: CustomValues
  readonly source: RecordSource | null
  readonly archivedAt: string | null
  readonly createdAt: string
  readonly updatedAt: string
}

/** The values of the organization's own fields in a request. */
export const newRecordFields = { customFields: Schema.optionalKey(CustomValues) }

/** By which time a list is sorted; `-` is newest first. */
export const RecordSort = Schema.Literals(["-createdAt", "createdAt", "-updatedAt", "updatedAt"])
export type RecordSort = typeof RecordSort.Type

/** The most records of a filtered list that are counted: for more the total is this number. */
export const mostRecordsCounted = 1_000

export interface RecordFilter {
  /** Words that the record's texts have; of each the beginning is enough. */
  readonly search?: string | undefined
  readonly archived: boolean
  readonly sort: RecordSort
  /** Fields of the module that must have these values. */
  readonly fields: Readonly<Record<string, string | undefined>>
}

/** 409: another record of the module has this name or number. */
export class DuplicateRecord extends Data.TaggedError("DuplicateRecord")<{
  readonly existingId: string
  /** E.g. `the name Maple Books`. */
  readonly has: string
}> {}

/** 400: the input cannot be stored. `message` says why. */
export class InvalidRecord extends Data.TaggedError("InvalidRecord")<{ readonly message: string }> {}

/** Port of a module's stored records. `Reported`: what a source may say of a record. */
export interface Records<Record extends ModuleRecord, New, Changes, Reported = New> {
  readonly list: (organizationId: string, filter: RecordFilter, part: Part) => Effect.Effect<Listed<Record>>
  /** Archived records too. */
  readonly find: (organizationId: string, id: string) => Effect.Effect<Record | undefined>
  /** The record, also an archived one, that this source has under this id. */
  readonly findReported: (
    organizationId: string,
    origin: Pick<Origin, "source" | "externalId">
  ) => Effect.Effect<Record | undefined>
  /** The record, also an archived one, that has this name or number, compared as duplicates are. */
  readonly findByKey: (organizationId: string, key: string) => Effect.Effect<Record | undefined>
  /**
   * Stores the state of a record that a source reports, unless what is stored is as new. A name or number that another source has is no duplicate.
   * A product, company or supplier that was made here and has the name or SKU becomes the source's record.
   */
  readonly report: (
    organizationId: string,
    origin: Origin,
    input: Reported
  ) => Effect.Effect<{ readonly record: Record; readonly outcome: ReportOutcome }, InvalidRecord>
  readonly create: (organizationId: string, input: New) => Effect.Effect<Record, DuplicateRecord | InvalidRecord>
  /** `undefined` when there is no such record. Changes that change nothing leave the record as it is. */
  readonly update: (
    organizationId: string,
    id: string,
    changes: Changes
  ) => Effect.Effect<Record | undefined, DuplicateRecord | InvalidRecord>
  /** `undefined` when there is no such record. */
  readonly setArchived: (organizationId: string, id: string, archived: boolean) => Effect.Effect<Record | undefined>
}
