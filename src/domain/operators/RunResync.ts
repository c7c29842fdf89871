/** Use case: work on the run that brings agents up to date, if one waits for a process. */
import { Clock, Effect, Stream } from "effect"
import { traced } from "../basics/Traced.ts"
import { makeResyncAgents } from "../voice/agents/ResyncAgents.ts"
import { InstallationLog } from "./InstallationLog.ts"
import { type ClaimedResync, Resyncs } from "./Resync.ts"

/** How long one agent may take. A process that says nothing for longer has died, and another one goes on. */
const claimMs = 120_000

/**
 * Needs Resyncs, InstallationLog and what `makeResyncAgents` needs once. The effect it gives works until the run is done, or was paused or cancelled, and
 * gives whether there was one. An agent whose outcome was not noted before a crash is done again, which changes nothing.
 */
export const makeRunResync = Effect.gen(function* () {
  const resyncs = yield* Resyncs
  const log = yield* InstallationLog
  const agents = yield* makeResyncAgents

  const count = Effect.fnUntraced(function* (claimed: ClaimedResync) {
    if (claimed.total === undefined) yield* resyncs.counted(claimed, yield* agents.count(claimed.organizationId))
  })

  const work = Effect.fnUntraced(function* (claimed: ClaimedResync) {
    yield* count(claimed)
    let ours = true
    yield* Stream.runForEachWhile(agents.run(claimed.organizationId, claimed.after), (result) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        ours = yield* resyncs.progress(claimed, result, now, now + claimMs)
        return ours
      })
    )
    if (!ours) return
    const now = yield* Clock.currentTimeMillis
    if (!(yield* resyncs.move(claimed.id, ["running"], "completed", now))) return
    const done = yield* resyncs.find(claimed.id)
    const { updated = 0, unchanged = 0, failed = 0 } = done ?? {}
    const details = { updated, unchanged, failed }
    yield* log.saw(claimed.id, { type: "resync.completed", subjectId: claimed.id, details }, now)
  })

  return traced("RunResync")(function* () {
    const now = yield* Clock.currentTimeMillis
    const claimed = yield* resyncs.claim(now, now + claimMs)
    if (claimed === undefined) return false
    yield* Effect.ensuring(work(claimed), resyncs.release(claimed))
    return true
  })
})
