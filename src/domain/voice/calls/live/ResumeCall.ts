/** Use case: bring a call back to its agent because no human took it. The conversation continues with what was said so far. */
import { Clock, Effect, Schedule } from "effect"
import { traced } from "../../../basics/Traced.ts"
import { Audit, type AuditRecord } from "../../../people/access/Audit.ts"
import { Organizations, voiceRefusal } from "../../../people/organizations/Organization.ts"
import { disclosureIn } from "../../agents/DisclosureSentences.ts"
import { VoiceAgents } from "../../agents/VoiceAgent.ts"
import type { CallSetup } from "../../engine/CallSetup.ts"
import type { TelephonyConnection } from "../../telephony/PhoneNumber.ts"
import { makeCallContext } from "../records/CallContext.ts"
import { type CallRecord, Calls, type Utterance } from "../records/CallRecord.ts"
import { type Transfer, Transfers } from "../records/Transfer.ts"
import { CallNotices } from "./CallNotices.ts"
import type { Answer } from "./ConnectCall.ts"
import { makePlaceCall } from "./PlaceCall.ts"
import { spokenByProvider } from "./ProviderVoice.ts"

export type ResumeOutcome = NonNullable<CallSetup["resume"]>["outcome"]

/** How long the engine's journal may take to deliver what was said before the transfer. The caller waits in silence meanwhile. */
const transcriptWait = "3 seconds"
const pollEvery = Schedule.spaced("100 millis")

/** Whether the caller heard the disclosure to its end. The disclosure begins an utterance, alone or with further text after it. */
const disclosureHeard = (disclosure: string, utterances: ReadonlyArray<Utterance>): boolean => {
  const text = disclosure.trim()
  return utterances.some(
    (said) =>
      said.role === "agent" &&
      said.text.startsWith(text) &&
      (!said.interrupted || said.text.trim().length > text.length)
  )
}

/** How many findings of a call are read at most. One finding ends the agent's part of the call, so there are few. */
const mostFindings = 100

/**
 * The utterances that `found` was joined from, newest first; `undefined` when they cannot be determined. The search goes from the newest
 * utterance back and skips those that are not part of `found`.
 */
const partsOf = (found: string, said: ReadonlyArray<Utterance>): ReadonlyArray<Utterance> | undefined => {
  const parts: Array<Utterance> = []
  let rest = found
  for (const utterance of said.toReversed()) {
    const { text } = utterance
    if (text === "" || (rest !== text && !rest.endsWith(` ${text}`))) continue
    parts.push(utterance)
    if (rest === text) return parts
    rest = rest.slice(0, -text.length - 1)
  }
  return undefined
}

/**
 * The caller's utterances that a finding covers. A finding may be joined from several utterances. Callers repeat themselves, also while a human
 * is dialled, so an utterance that repeats the finding or one of its parts counts too. If the parts cannot be determined, every utterance
 * contained in the finding counts: it is better to leave out a harmless one than to keep a flagged one.
 */
const saidIn = (found: string, said: ReadonlyArray<Utterance>): ReadonlyArray<Utterance> => {
  if (found === "") return []
  const texts = new Set<string>()
  let rest = said
  for (let parts = partsOf(found, rest); parts !== undefined; parts = partsOf(found, rest)) {
    for (const { text } of parts) texts.add(text)
    rest = rest.filter(({ text }) => !texts.has(text))
  }
  return said.filter(({ text }) => text.includes(found) || (texts.size === 0 ? found.includes(text) : texts.has(text)))
}

/**
 * The caller's utterances that the content filter flagged. Each finding has the whole text that was judged at once. One that says `what` it is
 * about is no caller's word.
 */
const flaggedIn = (findings: ReadonlyArray<AuditRecord>, utterances: ReadonlyArray<Utterance>) => {
  const said = utterances.filter(({ role }) => role === "caller")
  return new Set(
    findings.flatMap(({ details: { direction, what, text: found } }) =>
      direction !== "input" || what !== undefined || typeof found !== "string" ? [] : saidIn(found, said)
    )
  )
}

/** So long it takes until an agent in a call knows a notice, at most. */
const noticeDelayMs = 2_000

/** The state of a call for `CallSetup.resume`. `now` is Unix time in milliseconds. */
const resumeOf = (
  outcome: ResumeOutcome,
  call: Pick<CallRecord, "startedAt">,
  disclosure: string,
  utterances: ReadonlyArray<Utterance>,
  flagged: ReadonlySet<Utterance>,
  now: number
): NonNullable<CallSetup["resume"]> => {
  const elapsed = call.startedAt === null ? 0 : now - Date.parse(call.startedAt)
  return {
    outcome,
    disclosed: disclosureHeard(disclosure, utterances),
    history: utterances.filter((said) => !flagged.has(said)).map(({ role, text }) => ({ role, text })),
    nextSequence: Math.max(0, ...utterances.map(({ sequence }) => sequence)) + 1,
    elapsedMs: Math.round(Math.max(0, elapsed, ...utterances.map(({ endMs }) => endMs)))
  }
}

/** Needs the stores and the engine. The function it returns never fails: if the call cannot continue, the caller hears a goodbye. */
export const makeResumeCall = Effect.gen(function* () {
  const organizations = yield* Organizations
  const agents = yield* VoiceAgents
  const calls = yield* Calls
  const transfers = yield* Transfers
  const audit = yield* Audit
  const notices = yield* CallNotices
  const place = yield* makePlaceCall
  const contextOf = yield* makeCallContext

  const transcriptStored = ({ organizationId, id }: Transfer) =>
    transfers.find(organizationId, id).pipe(
      Effect.flatMap((found) => (found?.handedOver === false ? Effect.fail("not yet" as const) : Effect.void)),
      Effect.retry({ schedule: pollEvery }),
      Effect.timeout(transcriptWait),
      Effect.catch(() => Effect.logWarning("a call goes on without its newest words", { callId: id }))
    )

  return traced("ResumeCall.resume")(function* (
    connection: TelephonyConnection,
    call: CallRecord,
    callSid: string,
    transfer: Transfer,
    outcome: ResumeOutcome
  ): Effect.fn.Return<Answer> {
    const { organizationId, accountSid, authToken } = connection
    const { id: callId, direction, from, to } = call
    const organization = yield* organizations.find(organizationId)
    const agent = call.agentId === null ? undefined : yield* agents.find(organizationId, call.agentId)
    const goodbye = Effect.fnUntraced(function* (endReason: "capacity" | "error") {
      yield* calls.finished(organizationId, callId, endReason, yield* Clock.currentTimeMillis)
      return {
        _tag: "Say",
        ...spokenByProvider(agent?.primaryLanguage ?? "en-US", ({ handoff }) => handoff)
      } satisfies Answer
    })
    if (organization === undefined || agent === undefined || voiceRefusal(organization) !== undefined)
      return yield* goodbye("error")

    yield* transcriptStored(transfer)
    // Finds this call's record, and with it the contact's name.
    const status = "in_progress"
    const opened = yield* calls.open({ organizationId, agentId: agent.id, direction, status, from, to, callSid })
    const utterances = yield* calls.utterances(organizationId, callId)
    const findings = yield* audit.list(
      organizationId,
      { action: "call.moderation", subjectId: callId },
      1,
      mostFindings
    )
    const flagged = flaggedIn(findings.data, utterances)
    const now = yield* Clock.currentTimeMillis
    const so = resumeOf(outcome, call, disclosureIn(organization, agent.primaryLanguage), utterances, flagged, now)
    // What came before the agent had asked for a human, the agent has told, except for the last moment.
    const before = Date.parse(transfer.requestedAt) - noticeDelayMs
    const noticesAfter = yield* notices.toldUntil(organizationId, callId, before)
    const resume = noticesAfter === undefined ? so : { ...so, noticesAfter }
    const context = yield* contextOf(call)
    const contactName = direction === "inbound" ? opened.contactName : null
    const base = { callId, accountSid, authToken, callSid, direction, from, to, contactName, resume }
    const setup = context === undefined ? base : { ...base, context }
    return yield* place(organization, agent, setup).pipe(
      Effect.tap(() => calls.resumed(organizationId, callId)),
      Effect.map(({ streamUrl, token }): Answer => ({ _tag: "Connect", callId, streamUrl, token })),
      Effect.catchTag("EngineProtocolError", (error) =>
        Effect.andThen(
          Effect.logWarning("a call could not come back to its agent", { callId, reason: error.message }),
          goodbye(error.status === 429 ? "capacity" : "error")
        )
      )
    )
  })
})
