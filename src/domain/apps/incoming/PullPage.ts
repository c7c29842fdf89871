/** Pulls one page of records from a provider, and takes them over. */
import { Clock, Effect } from "effect"
import { AppAdapters } from "../AppAdapter.ts"
import { AppFailure } from "../AppSession.ts"
import { heardLog } from "../HeardLog.ts"
import type { PullClaim, PullResult } from "../PullQueue.ts"
import type { WorkSession } from "../WorkSession.ts"
import { makeAbsorbRecords } from "./AbsorbRecords.ts"

const noPulls = new AppFailure({
  action: "give_up",
  message: "This service pulls no records of the provider any more."
})

/** Needs AppAdapters and AppAbsorbers once; the function it gives needs nothing. A record that cannot be stored is noted in the log, and the pull goes on. */
export const makePullPage = Effect.fnUntraced(function* (work: WorkSession) {
  const adapters = yield* AppAdapters
  const absorb = yield* makeAbsorbRecords

  return Effect.fnUntraced(function* ({ connection, request, failures }: PullClaim) {
    const { pull } = adapters[connection.provider]
    const { value, outcome, exchanges } = yield* work(
      connection,
      failures,
      Effect.fnUntraced(function* (session, now) {
        if (pull === undefined) return yield* noPulls
        const { records, cursor, waitMs = 0 } = yield* pull.page(session, request, now)
        const { notes } = yield* absorb(connection, records, now)
        return { notes, page: { cursor, waitMs, records: records.length } }
      })
    )
    const log = heardLog(exchanges, value?.notes ?? [], yield* Clock.currentTimeMillis)
    return { page: value?.page, outcome, exchanges: log } satisfies PullResult
  })
})
