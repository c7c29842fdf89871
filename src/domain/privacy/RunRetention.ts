/**
 * Use case: count or remove, for one organization, what is older than its retention policy, and run this for every organization once a day (UTC). A
 * run has two halves: call data, then messages and the service's working data. Each half is recorded by itself, so the next try does only what is
 * missing.
 */
import { Clock, Effect, Stream } from "effect"
import { everyOrganization, Organizations, retentionOf } from "../people/organizations/Organization.ts"
import type { RetentionPolicy } from "../people/organizations/RetentionPolicy.ts"
import { addCounts, cutoffs, ExpiredRecords, makeExpire, nothingRemoved, type RetentionCounts } from "./Retention.ts"
import { addKinds, ExpiredKinds, type KindCounts, makeCountKinds, makeExpireKinds, noKinds } from "./RetentionKinds.ts"

/** The numbers of records that were removed, or would be. */
export type Removed = RetentionCounts & KindCounts

const nothing: Removed = { ...nothingRemoved, ...noKinds }

/** One half of a run, for one organization on one day. */
interface Half<Counts> {
  readonly wasRun: (organizationId: string, day: string) => Effect.Effect<boolean>
  readonly noteRun: (organizationId: string, day: string, counts: Counts, now: number) => Effect.Effect<void>
  readonly expire: (organizationId: string, policy: RetentionPolicy, now: number) => Effect.Effect<Counts, unknown>
  readonly nothing: Counts
  /** The log messages. */
  readonly done: string
  readonly failed: string
}

/** Needs the stores, the object storage and MediaFiles once; the functions it gives need nothing. `now` is in Unix milliseconds. */
export const makeRunRetention = Effect.gen(function* () {
  const organizations = yield* Organizations
  const [records, kinds] = [yield* ExpiredRecords, yield* ExpiredKinds]
  const [countKinds, expireCalls, expireKinds] = [yield* makeCountKinds, yield* makeExpire(), yield* makeExpireKinds]

  /** Counts what would be removed now. */
  const count = Effect.fnUntraced(function* (organizationId: string, policy: RetentionPolicy, now: number) {
    const ofCalls = yield* records.count(organizationId, cutoffs(policy, now))
    return { ...ofCalls, ...(yield* countKinds(organizationId, policy, now)) } satisfies Removed
  })

  /** Removes what is too old. */
  const expire = Effect.fnUntraced(function* (organizationId: string, policy: RetentionPolicy, now: number) {
    const ofCalls = yield* expireCalls(organizationId, policy, now)
    return { ...ofCalls, ...(yield* expireKinds(organizationId, policy, now)) } satisfies Removed
  })

  /** Runs one half. A failure in one organization is logged and does not stop the others; that organization is tried again. */
  const daily = <Counts extends object>({ wasRun, noteRun, expire, nothing, done, failed }: Half<Counts>) => {
    const half = Effect.fnUntraced(function* (organizationId: string) {
      const now = yield* Clock.currentTimeMillis
      const day = new Date(now).toISOString().slice(0, 10)
      if (yield* wasRun(organizationId, day)) return nothing
      const organization = yield* organizations.find(organizationId)
      if (organization === undefined) return nothing
      const removed = yield* expire(organizationId, retentionOf(organization), now)
      yield* noteRun(organizationId, day, removed, yield* Clock.currentTimeMillis)
      if (Object.values(removed).some((count) => count > 0)) yield* Effect.logInfo(done, { organizationId, ...removed })
      return removed
    })
    return (organizationId: string) =>
      Effect.catchCause(half(organizationId), (cause) =>
        Effect.as(Effect.logError(failed, { organizationId }, cause), nothing)
      )
  }

  const ofCalls = daily({
    ...records,
    expire: expireCalls,
    nothing: nothingRemoved,
    done: "what was kept long enough is removed",
    failed: "retention of an organization failed"
  })
  const ofKinds = daily({
    ...kinds,
    expire: expireKinds,
    nothing: noKinds,
    done: "messages and work that were kept long enough are removed",
    failed: "retention of an organization's messages and work failed"
  })

  /** Runs both halves for every organization. The second half is recorded in the record of the first: without that record it is done again. */
  const run = everyOrganization(organizations).pipe(
    Stream.mapEffect((id) => Effect.zipWith(ofCalls(id), ofKinds(id), (calls, kinds) => ({ ...calls, ...kinds }))),
    Stream.runFold(
      () => nothing,
      (sum, removed): Removed => ({ ...addCounts(sum, removed), ...addKinds(sum, removed) })
    ),
    Effect.withSpan("Retention.run")
  )

  return { count, expire, run }
})
