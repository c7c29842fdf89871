/** Use case: remove what the installation's log has kept long enough. It is safe to repeat and to stop at any point. */
import { Clock, Effect } from "effect"
import { inBatches } from "../basics/InBatches.ts"
import { InstallationLog } from "./InstallationLog.ts"

const dayMs = 86_400_000

/**
 * Days for which entries are kept. What nodes and providers did helps to understand a trouble of these weeks. What operators did may be asked for when
 * a contract ends, so it stays for two years; what they did to an organization is in its audit log, too, for as long as that is there.
 */
export const installationLogDays = { seen: 90, done: 730 }

const batch = 500

/** Needs InstallationLog once. The effect that it gives removes what is too old now, and gives how many entries that were. */
export const makeExpireInstallationLog = Effect.map(InstallationLog, (log) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const before = { seen: now - installationLogDays.seen * dayMs, done: now - installationLogDays.done * dayMs }
    const removed = yield* inBatches(batch, log.expire(before, batch))
    if (removed > 0) yield* Effect.logInfo("old entries of the installation's log are removed", { removed })
    return removed
  }).pipe(Effect.withSpan("InstallationLog.expireOld"))
)
