/**
 * The source of a record: a store, or a program that sends files. It has its own id of the record, and the time at which it changed the record last.
 * What is older, or has come before, never replaces what is newer; so it does not matter in which order the states of a record arrive.
 */
import { createHash } from "node:crypto"
import { Schema } from "effect"
import { isoTime } from "../../basics/IsoTime.ts"
import { canonicalJson } from "../../basics/Json.ts"

/** The source as a record shows it. */
export const RecordSource = Schema.Struct({
  /** E.g. `shopify:maple-books.myshopify.com`, or a name that a file gives. */
  name: Schema.String,
  externalId: Schema.String,
  /** When the source changed it last. */
  updatedAt: Schema.String
})
export type RecordSource = typeof RecordSource.Type

/** The state of a record as a source reports it. */
export interface Origin {
  readonly source: string
  readonly externalId: string
  /** Unix milliseconds. */
  readonly updatedAt: number
  /** Of two states with one time, the one with the higher rank counts. From 0 to 9. */
  readonly rank?: number
  /** What the source said, when the record that is stored has more, e.g. the id of its contact. */
  readonly said?: unknown
}

/** What became of a reported state. `kept`: what is stored is as new, or newer. */
export type ReportOutcome = "created" | "updated" | "kept"

/** Orders the states of a record: by time, rank, and at last by what they say. Compared as texts, by code points. */
export const versionOf = ({ updatedAt, rank = 0, said }: Origin, input: unknown): string =>
  `${isoTime(updatedAt)} ${rank} ${createHash("sha256")
    .update(canonicalJson(said ?? input))
    .digest("hex")
    .slice(0, 16)}`
