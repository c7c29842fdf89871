/** Pulls records from providers, page by page: one page at a time per connection. Several processes may run it. */
import { Clock, Effect } from "effect"
import { makePullPage } from "../../domain/apps/incoming/PullPage.ts"
import { type PullClaim, PullQueue } from "../../domain/apps/PullQueue.ts"
import type { WorkSession } from "../../domain/apps/WorkSession.ts"
import { startFairWork } from "../../domain/basics/FairWork.ts"

/** The most pages at a time, in this process. */
const most = { perLane: 1, perOrganization: 2, perProcess: 16 }

/** Needs PullQueue, AppAdapters and AppAbsorbers. */
export const startPulls = Effect.fnUntraced(function* (
  work: WorkSession,
  { lookEveryMs, leaseMs }: { readonly lookEveryMs: number; readonly leaseMs: number }
) {
  const queue = yield* PullQueue
  const pull = yield* makePullPage(work)

  const handle = Effect.fnUntraced(function* (claim: PullClaim) {
    yield* queue.settle(claim, yield* pull(claim), yield* Clock.currentTimeMillis)
  })

  yield* startFairWork({
    ...{ what: "pages from an integration", most, lookEveryMs },
    due: queue.due,
    claim: ({ organizationId, lane }, now) =>
      Effect.map(queue.claim(organizationId, lane, now, leaseMs), (claim) =>
        claim === undefined ? [] : [handle(claim)]
      )
  })
})
