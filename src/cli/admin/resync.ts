/** The `parley admin` command that resyncs all voice agents. */
import { Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { makeResyncAgents, type Resynced } from "../../domain/voice/agents/ResyncAgents.ts"
import { showProgress } from "./progress.ts"
import { AdminError, answer, existing, json } from "./shared.ts"

export const resyncAgents = Command.make(
  "resync-agents",
  {
    organization: Flag.String("organization").pipe(
      Flag.withDescription("Only this organization (org_…); all of them when absent"),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ organization, json }) {
    const id = Option.isSome(organization) ? (yield* existing(organization.value)).id : undefined
    const resync = yield* makeResyncAgents
    const total = yield* resync.count(id)
    const results: Array<Resynced> = []
    yield* Stream.runForEach(resync.run(id), (result) => {
      results.push(result)
      return showProgress(results.length, total)
    })
    const failed = results.filter(({ outcome }) => outcome === "failed")
    const counted = (wanted: Resynced["outcome"]) => results.filter(({ outcome }) => outcome === wanted).length
    const report = { updated: counted("updated"), unchanged: counted("unchanged"), failed: failed.length }
    const reasons = Object.fromEntries(failed.map(({ agentId, reason }) => [agentId, reason]))
    yield* answer(json, json ? { ...report, failures: failed } : { ...report, ...reasons })
    if (failed.length > 0)
      return yield* new AdminError({
        message: `${failed.length} of ${results.length} agents failed; they keep working as before. Run this again when the reasons are gone.`
      })
  })
).pipe(Command.withDescription("Set every agent to the locked provider stack and refresh the engine's configurations"))
