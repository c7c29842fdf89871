/**
 * Use case: outside business hours. The caller hears the disclosure and the agent's voicemail message, both in the agent's voice when it can
 * be had in time, and may leave a message, which is noted for the worker as soon as the provider tells of it.
 */
import { Clock, Effect, Stream } from "effect"
import { type SpeechRequest, TextToSpeech } from "../../../ai/providers/Speech.ts"
import { SpeechCache, speechCacheKey } from "../../../ai/providers/SpeechCache.ts"
import { traced } from "../../../basics/Traced.ts"
import type { Organization } from "../../../people/organizations/Organization.ts"
import { asHeard, voiceConfig } from "../../agents/AgentConfigs.ts"
import type { VoiceAgent } from "../../agents/VoiceAgent.ts"
import { fixedPhrases } from "../../dialogue/FixedPhrases.ts"
import type { TelephonyConnection } from "../../telephony/PhoneNumber.ts"
import { spokenByProvider } from "../live/ProviderVoice.ts"
import { Voicemails } from "./Voicemail.ts"

/** The provider waits 15 s for its instructions; the caller hears it ringing meanwhile. */
const speechWithin = "4 seconds"

export interface GreetingLine {
  readonly sentence: string
  /** BCP 47, for the provider's own voice. */
  readonly language: string
  /** Where the audio in the agent's voice is in the speech cache; without it the provider says the sentence. */
  readonly audioKey?: string
}

export interface TakeVoicemailAnswer {
  readonly _tag: "TakeVoicemail"
  readonly callId: string
  readonly lines: ReadonlyArray<GreetingLine>
  readonly maxSeconds: number
}

/** What a webhook says of a recording, whose account has been verified. */
export interface RecordingWebhook {
  readonly connection: TelephonyConnection
  readonly callId: string
  readonly callSid: string
  readonly recordingSid: string
  /** The provider's `RecordingStatus`; empty in the `action` of a `<Record>`. */
  readonly recordingStatus: string
}

/** What the agent says outside business hours. */
const voicemailMessage = ({ voicemail, primaryLanguage }: VoiceAgent): string =>
  voicemail.message ?? fixedPhrases(primaryLanguage).closed

/** Needs the stores, the speech cache and the voices once; the functions it gives need nothing. */
export const makeTakeVoicemail = Effect.gen(function* () {
  const cache = yield* SpeechCache
  const tts = yield* TextToSpeech
  const voicemails = yield* Voicemails

  /** The cache's key once the audio is there; `undefined` when it cannot be had in time. */
  const spoken = Effect.fnUntraced(
    function* (request: SpeechRequest) {
      const key = speechCacheKey(request)
      if ((yield* cache.get(key)) !== undefined) return key
      yield* cache.set(key, Buffer.concat(yield* Stream.runCollect(tts.synthesize(request))))
      return key
    },
    Effect.timeout(speechWithin),
    Effect.catch((error) => Effect.as(Effect.logWarning("a voicemail message has no voice", error), undefined))
  )

  const line = Effect.fnUntraced(function* (agent: VoiceAgent, sentence: string) {
    const audioKey = yield* spoken({ text: sentence, ...voiceConfig(agent) })
    const said = { sentence, language: agent.primaryLanguage }
    if (audioKey !== undefined) return { ...said, audioKey }
    // The provider cannot read every language that our voices speak.
    const provider = spokenByProvider(agent.primaryLanguage, ({ closed }) => closed)
    return provider.language === agent.primaryLanguage ? said : provider
  })

  /** Instructions for a caller who phones outside business hours. */
  const greet = traced("TakeVoicemail.greet")(function* (
    organization: Organization,
    agent: VoiceAgent,
    callId: string
  ) {
    const sentences = [organization.disclosureText, voicemailMessage(agent)]
    const heard = asHeard(agent, organization)
    const lines = yield* Effect.forEach(sentences, (sentence) => line(heard, sentence), { concurrency: "unbounded" })
    const { maxSeconds } = agent.voicemail
    return { _tag: "TakeVoicemail", callId, lines, maxSeconds } satisfies TakeVoicemailAnswer as TakeVoicemailAnswer
  })

  /** Notes a message, or that there is none; false when it is of a call that this account does not have. */
  const recorded = traced("TakeVoicemail.recorded")(function* (hook: RecordingWebhook) {
    const { connection, callId, callSid, recordingSid, recordingStatus } = hook
    const { organizationId, accountSid } = connection
    const note = recordingStatus === "absent" || recordingStatus === "failed" ? voicemails.absent : voicemails.received
    return yield* note({ organizationId, accountSid, callId, callSid, recordingSid }, yield* Clock.currentTimeMillis)
  })

  return { greet, recorded }
})
