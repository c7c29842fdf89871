/** Reads one arrival: what it says of records is taken over. */
import { Clock, Effect } from "effect"
import { AppAdapters } from "../AppAdapter.ts"
import type { StoredConnection } from "../AppConnection.ts"
import { AppFailure } from "../AppSession.ts"
import type { ArrivalResult, ClaimedArrival } from "../ArrivalQueue.ts"
import { heardLog } from "../HeardLog.ts"
import type { WorkSession } from "../WorkSession.ts"
import { makeAbsorbRecords } from "./AbsorbRecords.ts"

const noWebhooks = new AppFailure({
  action: "give_up",
  message: "This service reads no webhooks of the provider any more."
})
const notStored = new AppFailure({ action: "retry", message: "What it says could not be stored." })

/** Needs AppAdapters and AppAbsorbers once; the function it gives needs nothing. */
export const makeReadArrival = Effect.fnUntraced(function* (work: WorkSession) {
  const adapters = yield* AppAdapters
  const absorb = yield* makeAbsorbRecords

  return Effect.fnUntraced(function* (connection: StoredConnection, { arrival, failures }: ClaimedArrival) {
    const { inbound } = adapters[connection.provider]
    const { value, outcome, exchanges } = yield* work(
      connection,
      failures,
      Effect.fnUntraced(function* (session, now) {
        if (inbound === undefined) return yield* noWebhooks
        const absorbed = yield* absorb(connection, yield* inbound.read(session, arrival, now), now)
        return absorbed.broken > 0 ? yield* notStored : absorbed
      })
    )
    const log = heardLog(exchanges, value?.notes ?? [], yield* Clock.currentTimeMillis)
    return { outcome, exchanges: log } satisfies ArrivalResult
  })
})
