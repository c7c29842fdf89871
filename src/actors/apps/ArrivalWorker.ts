/** Reads what providers have told by webhooks: a few arrivals at a time per connection, those of a lane in order. Several processes may run it. */
import { Clock, Effect, Metric } from "effect"
import type { StoredConnection } from "../../domain/apps/AppConnection.ts"
import { ArrivalQueue, type ClaimedArrival } from "../../domain/apps/ArrivalQueue.ts"
import { makeReadArrival } from "../../domain/apps/incoming/ReadArrival.ts"
import type { WorkSession } from "../../domain/apps/WorkSession.ts"
import { startFairWork } from "../../domain/basics/FairWork.ts"

/** The most arrivals at a time, in this process. */
const most = { perLane: 8, perOrganization: 16, perProcess: 128 }

const count = Metric.counter("parley_integration_arrivals_total", {
  description: "Attempts to read what integrations have told, by provider and by what came of them",
  incremental: true
})

/** Needs ArrivalQueue, AppAdapters and AppAbsorbers. */
export const startArrivals = Effect.fnUntraced(function* (
  work: WorkSession,
  { lookEveryMs, leaseMs }: { readonly lookEveryMs: number; readonly leaseMs: number }
) {
  const queue = yield* ArrivalQueue
  const read = yield* makeReadArrival(work)

  const handle = Effect.fnUntraced(function* (connection: StoredConnection, claimed: ClaimedArrival) {
    const result = yield* read(connection, claimed)
    const { provider } = connection
    yield* Metric.update(Metric.withAttributes(count, { provider, outcome: result.outcome.task }), 1)
    yield* queue.settle(connection, claimed, result, yield* Clock.currentTimeMillis)
  })

  yield* startFairWork({
    ...{ what: "arrivals from an integration", most, lookEveryMs },
    due: queue.due,
    claim: Effect.fnUntraced(function* ({ organizationId, lane }, now, { most: room }) {
      const taken = yield* queue.claim(organizationId, lane, now, leaseMs, room)
      return taken === undefined ? [] : taken.arrivals.map((one) => handle(taken.connection, one))
    })
  })
})
