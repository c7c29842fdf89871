/**
 * Retention of call data: removes transcripts, recordings and audits that are older than the organization's policy. The age counts from the end of
 * the call, for audits from the entry. It is safe to repeat and to stop at any point: the next run finds what remains.
 */
import { Context, Effect } from "effect"
import { inBatches } from "../basics/InBatches.ts"
import { type ObjectKey, ObjectStorage } from "../basics/ObjectStorage.ts"
import { traced } from "../basics/Traced.ts"
import type { RetentionPolicy } from "../people/organizations/RetentionPolicy.ts"

/** The numbers of records that were removed, or would be. */
export interface RetentionCounts {
  /** Calls whose transcript was removed, and the removed utterances. */
  readonly transcripts: number
  readonly utterances: number
  /** Removed audio objects. Those that failed stay in their calls and are tried again the next day. */
  readonly recordings: number
  readonly recordingsFailed: number
  readonly toolCalls: number
  readonly moderations: number
}

export const nothingRemoved: RetentionCounts = {
  transcripts: 0,
  utterances: 0,
  recordings: 0,
  recordingsFailed: 0,
  toolCalls: 0,
  moderations: 0
}

export const addCounts = (a: RetentionCounts, b: RetentionCounts): RetentionCounts => ({
  transcripts: a.transcripts + b.transcripts,
  utterances: a.utterances + b.utterances,
  recordings: a.recordings + b.recordings,
  recordingsFailed: a.recordingsFailed + b.recordingsFailed,
  toolCalls: a.toolCalls + b.toolCalls,
  moderations: a.moderations + b.moderations
})

/** Instants (Unix milliseconds). Records from before the instant are removed; records from exactly that instant stay. */
export interface Cutoffs {
  readonly transcripts: number
  readonly recordings: number
  readonly audits: number
}

/** The cutoffs of a policy at `now` (Unix milliseconds). */
export const cutoffs = (
  { transcriptDays, recordingDays, toolCallDays }: Omit<RetentionPolicy, "messageDays">,
  now: number
): Cutoffs => {
  const ago = (days: number) => now - days * 86_400_000
  return { transcripts: ago(transcriptDays), recordings: ago(recordingDays), audits: ago(toolCallDays) }
}

/** Recordings of a call that are older than the policy allows. */
export interface ExpiredRecording {
  readonly callId: string
  readonly keys: ReadonlyArray<ObjectKey>
}

/** Port of the store. Each removal removes at most `most` calls or entries and gives how many it removed. */
export class ExpiredRecords extends Context.Service<
  ExpiredRecords,
  {
    /** Counts what is older than the cutoffs. */
    readonly count: (organizationId: string, cutoffs: Cutoffs) => Effect.Effect<RetentionCounts>
    /** Removes transcripts of calls that ended before `before` (Unix milliseconds). */
    readonly removeTranscripts: (
      organizationId: string,
      before: number,
      most: number
    ) => Effect.Effect<Pick<RetentionCounts, "transcripts" | "utterances">>
    readonly removeToolCalls: (organizationId: string, before: number, most: number) => Effect.Effect<number>
    readonly removeModerations: (organizationId: string, before: number, most: number) => Effect.Effect<number>
    /** The expired recordings of calls with an id after `after`, ordered by call id. */
    readonly recordings: (
      organizationId: string,
      before: number,
      after: string,
      most: number
    ) => Effect.Effect<ReadonlyArray<ExpiredRecording>>
    /** Removes these keys from the call's record. Its other keys stay. */
    readonly forgetRecordings: (organizationId: string, recording: ExpiredRecording) => Effect.Effect<void>
    /** Whether the run of the day (`2026-11-21`, UTC) is finished. */
    readonly wasRun: (organizationId: string, day: string) => Effect.Effect<boolean>
    /** Records that the run of the day is finished. A second record adds its counts to the first. `now`: Unix milliseconds. */
    readonly noteRun: (organizationId: string, day: string, counts: RetentionCounts, now: number) => Effect.Effect<void>
  }
>()("parley/domain/ExpiredRecords") {}

const defaultBatch = 500

/** Needs ExpiredRecords and ObjectStorage once; gives `expire(organizationId, policy, now)`, `now` in Unix milliseconds. */
export const makeExpire = Effect.fnUntraced(function* (batch: number = defaultBatch) {
  const records = yield* ExpiredRecords
  const storage = yield* ObjectStorage

  /** Removes the object first: a record without its object is tried again, but an object without its record would stay for ever. */
  const removeRecording = Effect.fnUntraced(function* (organizationId: string, { callId, keys }: ExpiredRecording) {
    const [removed, failed] = yield* Effect.partition(keys, (key) =>
      Effect.as(
        Effect.tapError(storage.remove(key), (error) =>
          Effect.logWarning("an old recording could not be removed", error)
        ),
        key
      )
    )
    if (removed.length > 0) yield* records.forgetRecordings(organizationId, { callId, keys: removed })
    return { recordings: removed.length, recordingsFailed: failed.length }
  })

  const removeRecordings = Effect.fnUntraced(function* (organizationId: string, before: number) {
    let counts = nothingRemoved
    let after = ""
    while (true) {
      const found = yield* records.recordings(organizationId, before, after, batch)
      for (const recording of found)
        counts = addCounts(counts, { ...nothingRemoved, ...(yield* removeRecording(organizationId, recording)) })
      const last = found.at(-1)
      if (last === undefined || found.length < batch) return counts
      after = last.callId
    }
  })

  return traced("Retention.expire")(function* (organizationId: string, policy: RetentionPolicy, now: number) {
    const before = cutoffs(policy, now)
    let utterances = 0
    const transcripts = yield* inBatches(
      batch,
      Effect.map(records.removeTranscripts(organizationId, before.transcripts, batch), (removed) => {
        utterances += removed.utterances
        return removed.transcripts
      })
    )
    const recordings = yield* removeRecordings(organizationId, before.recordings)
    const toolCalls = yield* inBatches(batch, records.removeToolCalls(organizationId, before.audits, batch))
    const moderations = yield* inBatches(batch, records.removeModerations(organizationId, before.audits, batch))
    return { ...recordings, transcripts, utterances, toolCalls, moderations } satisfies RetentionCounts
  })
})
