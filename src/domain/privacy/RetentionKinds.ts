/**
 * Retention of everything except call data: messages and their files, carts, links that were never paid, and the service's own working data. The audit
 * log, orders and payments are never removed.
 */
import { Context, Effect } from "effect"
import { inBatches } from "../basics/InBatches.ts"
import { traced } from "../basics/Traced.ts"
import { MediaFiles } from "../messaging/media/Media.ts"
import { sessionIdleMs } from "../people/access/UserSession.ts"
import type { RetentionPolicy } from "../people/organizations/RetentionPolicy.ts"

/** In the order of removal: files come after the messages that refer to them. */
const retentionKinds = [
  "messages",
  "carts",
  "paymentLinks",
  "unusedMedia",
  "events",
  "webhookDeliveries",
  "webhookResponses",
  "integrationChanges",
  "integrationArrivals",
  "integrationLog",
  "inboxLetters",
  "idempotencyKeys",
  "sessions",
  "devices",
  "unansweredQuestions"
] as const
export type RetentionKind = (typeof retentionKinds)[number]

export type KindCounts = Readonly<Record<RetentionKind, number>>

const dayMs = 86_400_000
/** Events, their deliveries, and the changes for integrations that were made of them. */
const workDays = 30
/**
 * Days for which items of the channel inbox are kept; the inbox worker removes old items, too. The channel repeats an unanswered webhook for 7 days,
 * so processed items stay longer than that, to recognize repetitions. Items that were given up stay for operators.
 */
export const inboxItemDays = { done: 8, failed: 30 }
/** The answers of customers' servers, inside deliveries that stay; and what integrations were sent and answered. */
const responseDays = 7
/** Files that no message refers to. */
const unusedMediaDays = 30

/**
 * The instant (Unix milliseconds) for each kind: older records are removed; null: none are. Idempotency keys and devices have their own expiry;
 * sessions count from their last request.
 */
export const kindCutoffs = (
  { messageDays, toolCallDays }: RetentionPolicy,
  now: number
): Readonly<Record<RetentionKind, number | null>> => {
  const ago = (days: number) => now - days * dayMs
  return {
    messages: messageDays === null ? null : ago(messageDays),
    carts: messageDays === null ? null : ago(messageDays),
    paymentLinks: messageDays === null ? null : ago(messageDays),
    unusedMedia: ago(unusedMediaDays),
    events: ago(workDays),
    webhookDeliveries: ago(workDays),
    webhookResponses: ago(responseDays),
    integrationChanges: ago(workDays),
    integrationArrivals: ago(workDays),
    integrationLog: ago(responseDays),
    inboxLetters: ago(inboxItemDays.failed),
    idempotencyKeys: now,
    sessions: now - sessionIdleMs,
    devices: now,
    unansweredQuestions: ago(toolCallDays)
  }
}

export const noKinds: KindCounts = {
  messages: 0,
  carts: 0,
  paymentLinks: 0,
  unusedMedia: 0,
  events: 0,
  webhookDeliveries: 0,
  webhookResponses: 0,
  integrationChanges: 0,
  integrationArrivals: 0,
  integrationLog: 0,
  inboxLetters: 0,
  idempotencyKeys: 0,
  sessions: 0,
  devices: 0,
  unansweredQuestions: 0
}

export const addKinds = (a: KindCounts, b: KindCounts): KindCounts => {
  const sum: Record<RetentionKind, number> = { ...noKinds }
  for (const kind of retentionKinds) sum[kind] = a[kind] + b[kind]
  return sum
}

/** Port of the store. */
export class ExpiredKinds extends Context.Service<
  ExpiredKinds,
  {
    /** Counts the records of a kind from before `before` (Unix milliseconds). */
    readonly count: (organizationId: string, kind: RetentionKind, before: number) => Effect.Effect<number>
    /** Removes at most `most` records and gives how many it removed. */
    readonly remove: (
      organizationId: string,
      kind: Exclude<RetentionKind, "unusedMedia">,
      before: number,
      most: number
    ) => Effect.Effect<number>
    /** The ids after `after`, in order, of files that no message refers to. */
    readonly unusedMedia: (
      organizationId: string,
      before: number,
      after: string,
      most: number
    ) => Effect.Effect<ReadonlyArray<string>>
    /** Whether the run of the day (`2026-11-21`, UTC) is finished. */
    readonly wasRun: (organizationId: string, day: string) => Effect.Effect<boolean>
    /** Records, in the record of the day's run over call data, that this run is finished, too. */
    readonly noteRun: (organizationId: string, day: string, counts: KindCounts) => Effect.Effect<void>
  }
>()("parley/domain/ExpiredKinds") {}

/** Needs ExpiredKinds once. The function it gives counts what would be removed now. */
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

/** Needs ExpiredKinds and MediaFiles once. The function it gives removes what is too old. It is safe to repeat and to stop at any point. */
export const makeExpireKinds = Effect.gen(function* () {
  const records = yield* ExpiredKinds
  const media = yield* MediaFiles

  /** Removes unused files. A file to which a message refers meanwhile stays. */
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
