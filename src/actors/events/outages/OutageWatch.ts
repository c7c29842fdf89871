/**
 * Watches the providers: each process notes what it sees, and organizations are told of outages. A process without a database, an engine of its own, tells
 * the others over the bus.
 */
import { Clock, type Duration, Effect, Layer, Option, Schema, Stream } from "effect"
import { ProcessBus } from "../../../domain/basics/bus/ProcessBus.ts"
import { isoTime } from "../../../domain/basics/IsoTime.ts"
import { periodically } from "../../../domain/basics/Periodically.ts"
import { type Outage, Outages } from "../../../domain/events/Outage.ts"
import { ProviderHealth, type ProviderTrouble } from "../../../domain/events/ProviderHealth.ts"
import { InstallationLog } from "../../../domain/operators/InstallationLog.ts"
import { everyOrganization, Organizations } from "../../../domain/people/organizations/Organization.ts"

const busType = "provider.health"
/** A process that is not heard of any more is forgotten: a trouble is told again every few seconds. */
const mostHeard = 1_000

const Troubles = Schema.Struct({
  troubles: Schema.Array(
    Schema.Struct({
      provider: Schema.String,
      since: Schema.Number,
      failedAt: Schema.Number,
      endedAt: Schema.optionalKey(Schema.Number)
    })
  )
})
const readTroubles = Schema.decodeUnknownOption(Troubles)

export interface OutageWatchOptions {
  /** How often it looks. Default 10 seconds. */
  readonly every?: Duration.Input
}

/** Of a process with a database. Needs Outages, Organizations and InstallationLog. */
export const layer = ({ every = "10 seconds" }: OutageWatchOptions = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const health = yield* ProviderHealth
      const bus = yield* ProcessBus
      const outages = yield* Outages
      const organizations = yield* Organizations
      const log = yield* InstallationLog
      let heard: Array<ProviderTrouble> = []
      const leave = bus.listen(
        ({ type, data }) => {
          if (type !== busType) return
          const told = Option.getOrUndefined(readTroubles(data))
          heard = [...heard, ...(told?.troubles ?? [])].slice(-mostHeard)
        },
        { relayed: true }
      )
      yield* Effect.addFinalizer(() => Effect.sync(leave))

      /** For operators, too. Each line is written once, however often it is tried. */
      const writeDown = Effect.fnUntraced(function* ({ provider, since, endedAt }: Outage) {
        const entry = { subjectId: provider, details: { since: isoTime(since) } }
        yield* log.saw(`${provider} failed ${since}`, { type: "provider.failed", ...entry }, since)
        if (endedAt !== null)
          yield* log.saw(`${provider} recovered ${since}`, { type: "provider.recovered", ...entry }, endedAt)
      })

      const tell = Effect.fnUntraced(function* (outage: Outage) {
        const now = yield* Clock.currentTimeMillis
        yield* everyOrganization(organizations).pipe(
          Stream.mapEffect((id) => outages.tell(id, outage, now), { concurrency: 2 }),
          Stream.runDrain
        )
        yield* writeDown(outage)
        yield* outages.told(outage)
      })

      yield* periodically(
        "outages of providers could not be noted",
        { every, first: every },
        Effect.gen(function* () {
          const seen = [...health.troubles(), ...heard]
          heard = []
          yield* outages.note(seen, yield* Clock.currentTimeMillis)
          yield* Effect.forEach(yield* outages.untold, tell, { discard: true })
        })
      )
    })
  )

/** Of a process without a database: it tells the others what it sees. */
export const layerTelling = ({ every = "10 seconds" }: OutageWatchOptions = {}) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const health = yield* ProviderHealth
      const bus = yield* ProcessBus
      yield* periodically(
        "outages of providers could not be told",
        { every, first: every },
        Effect.map(Clock.currentTimeMillis, (at) => {
          const troubles = health.troubles().map((trouble) => ({ ...trouble }))
          if (troubles.length > 0) bus.publish({ organizationId: "", type: busType, at, data: { troubles } })
        })
      )
    })
  )
