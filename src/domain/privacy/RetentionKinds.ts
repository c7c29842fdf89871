/**
 * How long is kept what calls do not leave behind: messages and their files, and what the service keeps for its own work. The audit log is
 * not among it: it is kept.
 */
import { Context, Effect } from "effect"
import { inBatches } from "../basics/InBatches.ts"
import { traced } from "../basics/Traced.ts"
import { MediaFiles } from "../messaging/media/Media.ts"
import { sessionIdleMs } from "../people/access/UserSession.ts"
import type { RetentionPolicy } from "../people/organizations/RetentionPolicy.ts"

/** In the order in which they are taken away: the files of messages after these. */
const retentionKinds = [
  "messages",
  "unusedMedia",
  "events",
  "webhookDeliveries",
  "webhookResponses",
  "inboxLetters",
  "idempotencyKeys",
  "sessions",
  "devices"
] as const
export type RetentionKind = (typeof retentionKinds)[number]

export type KindCounts = Readonly<Record<RetentionKind, number>>

const dayMs = 86_400_000
/** Events, and what was delivered of them. */
const workDays = 30
/**
 * Items of the channel inbox, for which the worker that settles them looks, too. It repeats for 7 days what it did not hear us take: until then it
 * is known what was told. Those that were given up are kept to be looked at.
 */
export const inboxItemDays = { done: 8, failed: 30 }
/** What customers' servers answered, in deliveries that stay. */
const responseDays = 7
/** Files that no message refers to. */
const unusedMediaDays = 30

/**
 * What is older than its instant (Unix milliseconds) goes; null: nothing does. Keys and devices have an end of their own; sessions count from
 * their last request.
 */
export const kindCutoffs = (
  { messageDays }: RetentionPolicy,
  now: number
): Readonly<Record<RetentionKind, number | null>> => {
  const ago = (days: number) => now - days * dayMs
  return {
    messages: messageDays === null ? null : ago(messageDays),
    unusedMedia: ago(unusedMediaDays),
    events: ago(workDays),
    webhookDeliveries: ago(workDays),
    webhookResponses: ago(responseDays),
    inboxLetters: ago(inboxItemDays.failed),
    idempotencyKeys: now,
    sessions: now - sessionIdleMs,
    devices: now
  }
}

export const noKinds: KindCounts = {
  messages: 0,
  unusedMedia: 0,
  events: 0,
  webhookDeliveries: 0,
  webhookResponses: 0,
  inboxLetters: 0,
  idempotencyKeys: 0,
  sessions: 0,
  devices: 0
}

export const addKinds = (a: KindCounts, b: KindCounts): KindCounts => {
  const sum: Record<RetentionKind, number> = { ...noKinds }
  for (const kind of retentionKinds) sum[kind] = a[kind] + b[kind]
  return sum
}

/** Port to the store. */
export class ExpiredKinds extends Context.Service<
  ExpiredKinds,
  {
    readonly count: (organizationId: string, kind: RetentionKind, before: number) => Effect.Effect<number>
    /** Takes at most `most` and says how many it took. */
    readonly remove: (
      organizationId: string,
      kind: Exclude<RetentionKind, "unusedMedia">,
      before: number,
      most: number
    ) => Effect.Effect<number>
    /** Ids of files that no message refers to, in order, behind `after`. */
    readonly unusedMedia: (
      organizationId: string,
      before: number,
      after: string,
      most: number
    ) => Effect.Effect<ReadonlyArray<string>>
    /** Whether the day's run (`2026-11-21`, UTC) is through; and noting that it is, on the run of what calls left behind. */
    readonly wasRun: (organizationId: string, day: string) => Effect.Effect<boolean>
    readonly noteRun: (organizationId: string, day: string, counts: KindCounts) => Effect.Effect<void>
  }
>()("parley/domain/ExpiredKinds") {}

/** What would be removed now. Needs ExpiredKinds once. */
export const makeCountKinds = Effect.map(
  ExpiredKinds,
  (records) =>
    (organizationId: string, policy: RetentionPolicy, now: number): Effect.Effect<KindCounts> =>
      Effect.reduce(
        retentionKinds,
        () => noKinds,
        Effect.fnUntraced(function* (counts, kind) {
          const before = kindCutoffs(policy, now)[kind]
          return before === null ? counts : { ...counts, [kind]: yield* records.count(organizationId, kind, before) }
        })
      )
)

const batch = 500

/** Removes it. Needs ExpiredKinds and MediaFiles once. Safe to repeat and to stop anywhere. */
export const makeExpireKinds = Effect.gen(function* () {
  const records = yield* ExpiredKinds
  const media = yield* MediaFiles

  /** A file that a message came to refer to meanwhile stays. */
  const removeMedia = Effect.fnUntraced(function* (organizationId: string, before: number) {
    let total = 0
    let after = ""
    while (true) {
      const ids = yield* records.unusedMedia(organizationId, before, after, batch)
      if (ids.length > 0) total += (yield* media.removeUnused(organizationId, ids)).length
      const last = ids.at(-1)
      if (last === undefined || ids.length < batch) return total
      after = last
    }
  })

  return traced("RetentionKinds.expire")(function* (organizationId: string, policy: RetentionPolicy, now: number) {
    const cutoffs = kindCutoffs(policy, now)
    let counts = noKinds
    for (const kind of retentionKinds) {
      const before = cutoffs[kind]
      if (before === null) continue
      const removed =
        kind === "unusedMedia"
          ? yield* removeMedia(organizationId, before)
          : yield* inBatches(batch, records.remove(organizationId, kind, before, batch))
      counts = { ...counts, [kind]: removed }
    }
    return counts
  })
})
