/**
 * Works for integrations, in both directions. It tells them what happened: events become tasks for the organizations that have connections (`FollowLog`), and tasks are sent, a few at a time per
 * connection and organization. Contacts from before a connection are sent while little waits. And it takes what they tell (`ArrivalWorker`, `PullWorker`).
 * Several processes may run it.
 */
import { Clock, Effect, Layer, Metric, Record } from "effect"
import { AppAdapters } from "../../domain/apps/AppAdapter.ts"
import type { StoredConnection } from "../../domain/apps/AppConnection.ts"
import { appProviders, rowOf } from "../../domain/apps/Catalogue.ts"
import { type ClaimedTask, SyncQueue } from "../../domain/apps/SyncQueue.ts"
import { makeTellChange } from "../../domain/apps/TellChange.ts"
import { makeWorkSession } from "../../domain/apps/WorkSession.ts"
import { startFairWork } from "../../domain/basics/FairWork.ts"
import { periodically } from "../../domain/basics/Periodically.ts"
import { followLog } from "../../domain/events/FollowLog.ts"
import { type Plan, planRefusal, plans } from "../../domain/people/organizations/Organization.ts"
import { startArrivals } from "./ArrivalWorker.ts"
import { startPulls } from "./PullWorker.ts"

export interface SyncWorkerOptions {
  /** The service's address, for links to what is told of. */
  readonly publicBaseUrl: string
  /** How often it looks for what is due, in milliseconds. Default 1,000. */
  readonly lookEveryMs?: number
  /** Milliseconds until another process may take over a task of this one. Longer than one change may take. Default 120,000. */
  readonly leaseMs?: number
}

/**
 * The most changes at a time, in this process. They share its connections to the database with requests: by the bench `integrations` requests take eight times
 * as long with 128 as with 24, and changes are told twice as soon.
 */
const most = { perLane: 8, perOrganization: 16, perProcess: 24 }

const count = Metric.counter("parley_integration_changes_total", {
  description: "Attempts to tell integrations of changes, by provider and by what came of them",
  incremental: true
})

/** Needs EventFeed, the queues, AppAdapters, AppAbsorbers, Exclusive, HttpClient, RateLimiter, and the stores of what is told. */
export const layer = ({ publicBaseUrl, lookEveryMs = 1_000, leaseMs = 120_000 }: SyncWorkerOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const queue = yield* SyncQueue
      const adapters = yield* AppAdapters
      const work = yield* makeWorkSession
      const tell = yield* makeTellChange(publicBaseUrl, work)

      const atOnce = Record.map(adapters, (adapter) => adapter.atOnce)
      /** On a plan without the integration events are skipped, not kept for later. */
      const tellsOn = (plan: Plan) =>
        appProviders.filter(
          (provider) =>
            adapters[provider].push !== undefined && planRefusal(rowOf(provider).feature, { plan }) === undefined
        )
      const told = Record.map(plans, (_, plan) => tellsOn(plan))

      const send = Effect.fnUntraced(function* (connection: StoredConnection, task: ClaimedTask) {
        const result = yield* tell(connection, task)
        const outcome = result.outcome === "gone" ? "gone" : result.outcome.task
        yield* Metric.update(Metric.withAttributes(count, { provider: connection.provider, outcome }), 1)
        yield* queue.settle(connection, task, result, yield* Clock.currentTimeMillis)
      })
      const fill = Effect.flatMap(Clock.currentTimeMillis, queue.fill)

      const wake = yield* startFairWork({
        ...{ what: "changes for an integration", most, lookEveryMs },
        due: queue.due,
        claim: Effect.fnUntraced(function* ({ organizationId, lane }, now, { most: room, busy }) {
          const taken = yield* queue.claim(organizationId, lane, now, leaseMs, { most: room, busy, atOnce })
          return taken === undefined ? [] : taken.tasks.map((task) => send(taken.connection, task))
        })
      })

      yield* startArrivals(work, { lookEveryMs, leaseMs })
      yield* startPulls(work, { lookEveryMs, leaseMs })
      yield* periodically("the back-fill of integrations could not go on", { every: lookEveryMs }, fill)
      yield* Effect.forkScoped(
        followLog({
          what: "integrations",
          behind: queue.behind,
          read: (organizationId, now) => queue.fanOut(organizationId, told, now),
          made: wake
        })
      )
    })
  )
