/** Port: the vectors of passages, and the sources whose passages have none yet. */
import { Context, type Effect } from "effect"

/** A source whose passages a worker has claimed to make vectors of. */
export interface VectorJob {
  readonly organizationId: string
  readonly sourceId: string
  /** How often it was claimed since its passages changed, this time included. */
  readonly attempts: number
}

/** What a vector is made of. Passages with the same text share one. */
export interface UnembeddedText {
  /** Hexadecimal. */
  readonly hash: string
  readonly text: string
}

/** A source that has vectors of all its passages. */
export interface VectorSource {
  readonly id: string
  readonly knowledgeBaseId: string
  /** Another one when the vectors have changed. */
  readonly version: number
  readonly passages: number
}

/** The bytes are little-endian float32; none for a text that the provider refused. */
export interface StoredVector {
  readonly number: number
  readonly vector: Uint8Array
}

export class PassageVectors extends Context.Service<
  PassageVectors,
  {
    /** Claims sources without vectors of this model at `now`, until `now + leaseMs` (Unix milliseconds). */
    readonly claim: (
      model: string,
      now: number,
      leaseMs: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<VectorJob>>
    /** Texts of the source without a vector of this model. */
    readonly missing: (job: VectorJob, model: string, most: number) => Effect.Effect<ReadonlyArray<UnembeddedText>>
    /** Stores vectors with the tokens they cost, and holds the claim until `until`. A source that is gone stores nothing. */
    readonly store: (
      job: VectorJob,
      model: string,
      vectors: ReadonlyArray<{ readonly hash: string; readonly vector: Float32Array }>,
      tokens: number,
      until: number
    ) => Effect.Effect<void>
    /** Ends the claim if no text is missing: then the vectors are used, and those of former texts removed. False when some are missing. */
    readonly finish: (job: VectorJob, model: string) => Effect.Effect<boolean>
    /** Ends the claim with a problem, a sentence for people; the source is due again at `again` (Unix milliseconds). */
    readonly postpone: (job: VectorJob, again: number, problem: string) => Effect.Effect<void>
    /** The sources with vectors of this model, of these knowledge bases or of all. */
    readonly sources: (
      organizationId: string,
      model: string,
      knowledgeBaseIds: ReadonlyArray<string> | undefined
    ) => Effect.Effect<ReadonlyArray<VectorSource>>
    /** The vectors of a source's passages from this number on, in order, at most `most`. */
    readonly read: (
      organizationId: string,
      sourceId: string,
      from: number,
      most: number
    ) => Effect.Effect<ReadonlyArray<StoredVector>>
  }
>()("parley/domain/PassageVectors") {}
