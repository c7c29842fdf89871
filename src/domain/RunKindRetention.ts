/** Use case: the retention of what calls do not leave behind, of every organization, once a day (UTC), after that of calls. */
import { Clock, Effect, Stream } from "effect"
import { everyOrganization, Organizations, retentionOf } from "./Organization.ts"
import { ExpiredKinds, makeExpireKinds, noKinds } from "./RetentionKinds.ts"

/** Needs the stores and MediaFiles once; the effect it gives needs nothing. */
export const makeRunKindRetention = Effect.gen(function* () {
  const organizations = yield* Organizations
  const records = yield* ExpiredKinds
  const expire = yield* makeExpireKinds

  const runOne = Effect.fnUntraced(function* (organizationId: string) {
    const now = yield* Clock.currentTimeMillis
    const day = new Date(now).toISOString().slice(0, 10)
    const organization = yield* organizations.find(organizationId)
    if (organization === undefined || (yield* records.wasRun(organizationId, day))) return noKinds
    const removed = yield* expire(organizationId, retentionOf(organization), now)
    yield* records.noteRun(organizationId, day, removed)
    if (Object.values(removed).some((count) => count > 0))
      yield* Effect.logInfo("messages and work that were kept long enough are removed", { organizationId, ...removed })
    return removed
  })

  /** One organization's trouble is not the others': it is logged, and that one is tried again. */
  const attempt = (organizationId: string) =>
    Effect.catchCause(runOne(organizationId), (cause) =>
      Effect.logError("retention of an organization's messages and work failed", { organizationId }, cause)
    )

  return everyOrganization(organizations).pipe(
    Stream.mapEffect(attempt),
    Stream.runDrain,
    Effect.withSpan("RetentionKinds.run")
  )
})
