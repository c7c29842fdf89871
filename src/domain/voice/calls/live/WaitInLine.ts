/**
 * Use case: answer the webhook that asks what a caller in the line hears next. The caller hears the place in the line, or leaves the line
 * because a human is free or the wait was too long.
 */
import { Clock, Effect } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { VoiceAgents } from "../../agents/VoiceAgent.ts"
import { Transfers } from "../records/Transfer.ts"
import { EscalationPolicy, patienceOf } from "./EscalationPolicy.ts"
import { makeHumanLine } from "./HumanLine.ts"
import { spokenByProvider } from "./ProviderVoice.ts"
import { transferInstructions } from "./TransferInstructions.ts"
import { makeTransferOfWebhook, type TransferWebhook } from "./TransferWebhook.ts"

/** Needs its ports; the function it returns needs nothing. It gives `undefined` when this account and call have no such transfer. */
export const makeWaitInLine = Effect.gen(function* () {
  const policy = yield* EscalationPolicy
  const transfers = yield* Transfers
  const agents = yield* VoiceAgents
  const { advance, conclude } = yield* makeHumanLine
  const transferOf = yield* makeTransferOfWebhook
  const patience = patienceOf(policy)
  const { waitUrl } = transferInstructions(policy)

  return traced("EscalateCall.wait")(function* (hook: TransferWebhook) {
    const found = yield* transferOf(hook)
    if (found === undefined) return undefined
    const { call } = found
    const { organizationId } = call
    const now = yield* Clock.currentTimeMillis
    const before = yield* transfers.arrive(organizationId, found.transfer.id, now, patience)
    if (before?.transfer.outcome !== "queued" || before.transfer.destination === null) return { _tag: "Leave" } as const
    const { transfer } = before
    if (now - Date.parse(transfer.requestedAt) >= policy.maxWaitSeconds * 1_000) {
      const { advance: advanced } = yield* conclude(transfer, call, "timed_out")
      yield* advanced
      return { _tag: "Leave" } as const
    }
    // A human may have become free without a report from the provider.
    yield* advance(organizationId, before.transfer.destination, transfer.id)
    const after = yield* transfers.arrive(organizationId, transfer.id, now, patience)
    if (after?.transfer.outcome !== "queued") return { _tag: "Leave" } as const
    const agent = call.agentId === null ? undefined : yield* agents.find(organizationId, call.agentId)
    return {
      _tag: "Wait",
      ...spokenByProvider(agent?.primaryLanguage ?? "en-US", ({ queue }) => queue(after.place)),
      pauseSeconds: policy.announceEverySeconds,
      again: waitUrl(transfer)
    } as const
  })
})
