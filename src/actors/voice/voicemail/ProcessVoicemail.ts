/**
 * Processes one message in steps: fetch it into the object storage and show it in its call, remove it at the provider, transcribe it. Each step
 * can be repeated without harm (same key, same event ids), so a step whose success was not stored is done again. A message whose contact was
 * erased is only removed, at the provider and in the object storage.
 */
import { Cause, Clock, Effect, Schema, Stream } from "effect"
import { messageOf } from "../../../domain/basics/ErrorMessage.ts"
import { ObjectStorage } from "../../../domain/basics/ObjectStorage.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { decodeWav, encodeWav } from "../../../domain/basics/Wav.ts"
import { transcriptionConfig } from "../../../domain/voice/agents/AgentConfigs.ts"
import { VoiceAgents } from "../../../domain/voice/agents/VoiceAgent.ts"
import {
  ProviderRecordings,
  type Voicemail,
  type VoicemailStep,
  Voicemails
} from "../../../domain/voice/calls/inbound/Voicemail.ts"
import { Calls } from "../../../domain/voice/calls/records/CallRecord.ts"
import { recordingContentType, recordingKey } from "../../../domain/voice/engine/Recordings.ts"
import { TelephonyConnections } from "../../../domain/voice/telephony/PhoneNumber.ts"
import { transcribe } from "./Transcription.ts"

/** Why a step failed, as a sentence for the log and the row. */
export class VoicemailProblem extends Schema.TaggedError<VoicemailProblem>()("VoicemailProblem", {
  message: Schema.String
}) {}

const sampleRate = 8_000
const firstRetryMs = 2_000
const longestRetryMs = 3_600_000
const dayMs = 86_400_000
/** Attempts until the team is told of a message that could not be fetched. With the pauses above that takes about an hour. */
const untold = 11
/** Attempts until a step is tried only once a day. With the pauses above that takes about a day. */
const aDay = 34
/** Further daily attempts for a message that is still at the provider. */
const moreDays = 14

/** Milliseconds until a step that has failed `attempts` times before is tried again. */
const retryAfterMs = (attempts: number): number =>
  attempts + 1 < aDay ? Math.min(longestRetryMs, firstRetryMs * 2 ** attempts) : dayMs

const maxAttempts = (step: VoicemailStep): number => (step === "transcribe" ? aDay : aDay + moreDays)

/** The next step after one that failed for too long. A message that could not be removed is stored already and still gets transcribed. */
const afterGivingUp = (step: VoicemailStep): VoicemailStep => (step === "remove" ? "transcribe" : "given_up")

/** The caller's samples. Fails when the file is no WAV of the expected rate. */
const caller = (wav: Uint8Array) =>
  Effect.try({
    try: () => {
      const { channels, sampleRate: rate } = decodeWav(wav)
      if (rate !== sampleRate) throw new RangeError(`${rate} Hz instead of ${sampleRate}`)
      return channels[0]
    },
    catch: (cause) => new VoicemailProblem({ message: `The recording cannot be read: ${String(cause)}` })
  })

/** Takes the stores, the object storage and the provider once. Returns a function that does one step of a message and stores the next step. */
export const makeProcessVoicemail = Effect.gen(function* () {
  const voicemails = yield* Voicemails
  const calls = yield* Calls
  const agents = yield* VoiceAgents
  const connections = yield* TelephonyConnections
  const provider = yield* ProviderRecordings
  const storage = yield* ObjectStorage

  const keyOf = ({ organizationId, callId, recordingSid }: Voicemail) =>
    recordingKey(organizationId, callId, recordingSid)

  /** The common fields of an event of the message's call. The same `what` always gives the same id. */
  const event = ({ organizationId, callId, agentId, recordingSid }: Voicemail, what: string) => ({
    id: `${recordingSid}.${what}`,
    organizationId,
    agentId: agentId ?? "",
    callId
  })

  /** Opens the conversation for the team. */
  const tellTeam = (message: Voicemail, what: string, reason: string) =>
    calls.apply({ type: "handoff", ...event(message, what), reason })

  const account = Effect.fnUntraced(function* ({ organizationId, accountSid }: Voicemail) {
    const connection = yield* connections.findByAccount(accountSid)
    if (connection?.organizationId === organizationId) return connection
    return yield* new VoicemailProblem({ message: `The account ${accountSid} is not the organization's any more.` })
  })

  const fetch = Effect.fnUntraced(function* (message: Voicemail) {
    const samples = yield* caller(yield* provider.fetch(yield* account(message), message.recordingSid))
    // Two channels as in every recording of a call: the caller left, the agent right.
    const file = encodeWav([samples, new Int16Array(0)], sampleRate)
    const key = keyOf(message)
    yield* storage.put(key, Stream.succeed(file), { contentType: recordingContentType, size: file.length })
    const durationMs = Math.round(samples.length / (sampleRate / 1_000))
    const told = { ...event(message, "recording"), key, bytes: file.length, durationMs }
    const { unwanted } = yield* calls.apply({ type: "recording", ...told })
    if (unwanted !== undefined) yield* storage.remove(unwanted)
    yield* tellTeam(message, "handoff", "The caller left a message.")
  })

  const remove = Effect.fnUntraced(function* (message: Voicemail) {
    yield* provider.remove(yield* account(message), message.recordingSid)
  })

  const understand = Effect.fnUntraced(function* (message: Voicemail) {
    const pieces = yield* Stream.runCollect(storage.read(keyOf(message)))
    const samples = yield* caller(Buffer.concat(pieces))
    const agent = message.agentId === null ? undefined : yield* agents.find(message.organizationId, message.agentId)
    const said = yield* transcribe(samples, transcriptionConfig(agent?.primaryLanguage ?? "en-IN"))
    yield* Effect.forEach(said, (phrase, sequence) =>
      calls.apply({
        type: "transcript",
        ...event(message, `phrase.${sequence}`),
        sequence,
        role: "caller",
        interrupted: false,
        ...phrase
      })
    )
  })

  /** Does the step and returns the next one. */
  const work = Effect.fnUntraced(function* (message: Voicemail) {
    if (message.erased) {
      // A fetch that was under way during the erasure, and then died, may have stored it.
      yield* storage.remove(keyOf(message))
      yield* remove(message)
      return "done" as const
    }
    switch (message.step) {
      case "fetch":
        yield* fetch(message)
        return "remove" as const
      case "remove":
        yield* remove(message)
        return "transcribe" as const
      default:
        yield* understand(message)
        return "done" as const
    }
  })

  /** What must not wait any longer while a step keeps failing. */
  const meanwhile = (message: Voicemail) => {
    const { callId, step, attempts, erased } = message
    if (erased) return Effect.void
    if (step === "fetch" && attempts + 1 === untold)
      return tellTeam(message, "handoff.early", "The caller left a message, which could not be fetched yet.")
    // The transcript does not wait until the provider's copy is removed. It is made again afterwards, which changes nothing.
    if (step === "remove" && attempts + 1 === aDay)
      return Effect.catchCause(understand(message), (cause) =>
        Effect.logWarning("a voicemail could not be transcribed yet", { callId }, cause)
      )
    return Effect.void
  }

  const failed = Effect.fnUntraced(function* (message: Voicemail, problem: unknown) {
    const now = yield* Clock.currentTimeMillis
    const { callId, step, attempts } = message
    const reason = messageOf(problem)
    yield* meanwhile(message)
    if (attempts + 1 < maxAttempts(step)) {
      const log = attempts + 1 < aDay ? Effect.logInfo : Effect.logError
      yield* log("a voicemail is not through yet", { callId, step, attempts, reason })
      return yield* voicemails.postpone(message, now + retryAfterMs(attempts), reason)
    }
    yield* Effect.logError("a step of a voicemail was given up", { callId, step, reason })
    yield* voicemails.advance(message, message.erased ? "given_up" : afterGivingUp(step), now)
  })

  return traced("Voicemail.process")((message: Voicemail) =>
    Effect.matchCauseEffect(work(message), {
      onSuccess: (next) => Effect.flatMap(Clock.currentTimeMillis, (now) => voicemails.advance(message, next, now)),
      onFailure: (cause) => failed(message, Cause.squash(cause))
    })
  )
})
