/** Metrics of waiting messaging work in all organizations: how much waits, and for how long. They name no organization. */
import { Clock, Effect, Layer, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { periodically } from "../../../../domain/basics/Periodically.ts"
import { messagingBacklog } from "./AcrossTenants.ts"

const every = "5 seconds"
/** If the query takes longer, the metrics are set to NaN. */
const patience = "3 seconds"
/** Each count stops at this number. */
const most = 100_000

const gauge = (name: string, description: string) => Metric.gauge(name, { description })
const broadcasts = gauge("parley_broadcasts", "Broadcasts of all organizations, by state (running, scheduled)")
const gauges = {
  outbox: gauge("parley_outbox_waiting", "Messages of all organizations on their way to the channel"),
  outboxAge: gauge("parley_outbox_oldest_seconds", "How long the oldest of them has been there"),
  webhooks: gauge(
    "parley_webhook_deliveries_waiting",
    "Webhook deliveries of all organizations that wait for an attempt"
  ),
  pushes: gauge("parley_push_waiting", "Notifications of all organizations that wait for an attempt"),
  running: Metric.withAttributes(broadcasts, { state: "running" }),
  scheduled: Metric.withAttributes(broadcasts, { state: "scheduled" }),
  eventLag: gauge("parley_event_log_lag_seconds", "Age of the oldest event that an unfinished transaction holds back")
}
type Figures = Readonly<Record<keyof typeof gauges, number>>

const unknown: Figures = {
  outbox: Number.NaN,
  outboxAge: Number.NaN,
  webhooks: Number.NaN,
  pushes: Number.NaN,
  running: Number.NaN,
  scheduled: Number.NaN,
  eventLag: Number.NaN
}

/** The age in seconds; 0 when `since` is null. */
const ageAt = (now: number, since: Date | null) => (since === null ? 0 : Math.max(0, (now - since.getTime()) / 1_000))

const asked = Effect.gen(function* () {
  const found = yield* messagingBacklog(yield* SqlClient.SqlClient, most)
  const now = yield* Clock.currentTimeMillis
  return {
    outbox: Number(found.outbox),
    outboxAge: ageAt(now, found.outboxOldest),
    webhooks: Number(found.webhooks),
    pushes: Number(found.pushes),
    running: Number(found.broadcastsRunning),
    scheduled: Number(found.broadcastsScheduled),
    eventLag: ageAt(now, found.eventHeldBack)
  } satisfies Figures
})

const shown = (figures: Figures) =>
  Effect.forEach(Object.keys(gauges) as Array<keyof Figures>, (name) => Metric.update(gauges[name], figures[name]), {
    discard: true
  })

/** Reads the backlog once and updates the metrics. If the read fails, they are set to NaN, because an old number would hide the failure. */
export const show: Effect.Effect<void, never, SqlClient.SqlClient> = asked.pipe(
  Effect.timeout(patience),
  Effect.catchCause((cause) => Effect.as(Effect.logWarning("what waits could not be counted", cause), unknown)),
  Effect.flatMap(shown)
)

/** Updates the metrics every 5 s. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.effectDiscard(
  periodically("what waits could not be shown", { every }, show)
)
