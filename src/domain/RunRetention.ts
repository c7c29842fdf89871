/** Use case: the retention of every organization, once a day (UTC). An organization that was not done yet is done at the next try. */
import { Clock, Effect, Stream } from "effect"
import { everyOrganization, Organizations, retentionOf } from "./Organization.ts"
import { addCounts, ExpiredRecords, makeExpire, nothingRemoved, type RetentionCounts } from "./Retention.ts"

const total = ({ transcripts, recordings, recordingsFailed, toolCalls, moderations }: RetentionCounts) =>
  transcripts + recordings + recordingsFailed + toolCalls + moderations

/** Needs the stores and the object storage once; the effect it gives needs nothing, and gives what it removed. */
export const makeRunRetention = Effect.gen(function* () {
  const organizations = yield* Organizations
  const records = yield* ExpiredRecords
  const expire = yield* makeExpire()

  const runOne = Effect.fnUntraced(function* (organizationId: string) {
    const now = yield* Clock.currentTimeMillis
    const day = new Date(now).toISOString().slice(0, 10)
    if (yield* records.wasRun(organizationId, day)) return nothingRemoved
    const organization = yield* organizations.find(organizationId)
    if (organization === undefined) return nothingRemoved
    const removed = yield* expire(organizationId, retentionOf(organization), now)
    yield* records.noteRun(organizationId, day, removed, yield* Clock.currentTimeMillis)
    if (total(removed) > 0)
      yield* Effect.logInfo("what was kept long enough is removed", { organizationId, ...removed })
    return removed
  })

  /** One organization's trouble is not the others': it is logged, and that one is tried again. */
  const attempt = (organizationId: string) =>
    runOne(organizationId).pipe(
      Effect.catchCause((cause) =>
        Effect.as(Effect.logError("retention of an organization failed", { organizationId }, cause), nothingRemoved)
      )
    )

  return everyOrganization(organizations).pipe(
    Stream.mapEffect(attempt),
    Stream.runFold(() => nothingRemoved, addCounts),
    Effect.withSpan("Retention.run")
  )
})
