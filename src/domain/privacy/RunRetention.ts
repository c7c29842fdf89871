/**
 * Use case: retention, of what calls leave behind and then of messages and the service's own work: counted, removed for one organization, and
 * run for every organization once a day (UTC). What was not done yet is done at the next try: each half of a day has a mark of its own.
 */
import { Clock, Effect, Stream } from "effect"
import { everyOrganization, Organizations, retentionOf } from "../people/organizations/Organization.ts"
import type { RetentionPolicy } from "../people/organizations/RetentionPolicy.ts"
import { addCounts, cutoffs, ExpiredRecords, makeExpire, nothingRemoved, type RetentionCounts } from "./Retention.ts"
import { addKinds, ExpiredKinds, type KindCounts, makeCountKinds, makeExpireKinds, noKinds } from "./RetentionKinds.ts"

/** What was taken away, or would be. */
export type Removed = RetentionCounts & KindCounts

const nothing: Removed = { ...nothingRemoved, ...noKinds }

/** One of the two, for one organization on one day. */
interface Half<Counts> {
  readonly wasRun: (organizationId: string, day: string) => Effect.Effect<boolean>
  readonly noteRun: (organizationId: string, day: string, counts: Counts, now: number) => Effect.Effect<void>
  readonly expire: (organizationId: string, policy: RetentionPolicy, now: number) => Effect.Effect<Counts, unknown>
  readonly nothing: Counts
  /** What the log says. */
  readonly done: string
  readonly failed: string
}

/** Needs the stores, the object storage and MediaFiles once; what it gives needs nothing. `now` is in Unix milliseconds. */
export const makeRunRetention = Effect.gen(function* () {
  const organizations = yield* Organizations
  const [records, kinds] = [yield* ExpiredRecords, yield* ExpiredKinds]
  const [countKinds, expireCalls, expireKinds] = [yield* makeCountKinds, yield* makeExpire(), yield* makeExpireKinds]

  /** What would be removed now. */
  const count = Effect.fnUntraced(function* (organizationId: string, policy: RetentionPolicy, now: number) {
    const ofCalls = yield* records.count(organizationId, cutoffs(policy, now))
    return { ...ofCalls, ...(yield* countKinds(organizationId, policy, now)) } satisfies Removed
  })

  /** Removes it. */
  const expire = Effect.fnUntraced(function* (organizationId: string, policy: RetentionPolicy, now: number) {
    const ofCalls = yield* expireCalls(organizationId, policy, now)
    return { ...ofCalls, ...(yield* expireKinds(organizationId, policy, now)) } satisfies Removed
  })

  /** One organization's trouble is not the others': it is logged, and that one is tried again. */
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

  /** Of every organization. The second half is noted on the run of the first: without one it is done again. */
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
