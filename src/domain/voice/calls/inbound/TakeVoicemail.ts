/**
 * Use case: take a voicemail outside business hours. The caller hears the disclosure and the agent's voicemail message, in the agent's voice if
 * the audio is ready in time. The caller may then leave a message. When the provider reports the message, it is stored for the worker.
 */
import { Clock, Effect, Stream } from "effect"
import { type SpeechRequest, TextToSpeech } from "../../../ai/providers/Speech.ts"
import { SpeechCache, speechCacheKey } from "../../../ai/providers/SpeechCache.ts"
import { traced } from "../../../basics/Traced.ts"
import { defaultDisclosureText, type Organization } from "../../../people/organizations/Organization.ts"
import { asHeard, voiceConfig } from "../../agents/AgentConfigs.ts"
import { disclosureIn } from "../../agents/DisclosureSentences.ts"
import type { VoiceAgent } from "../../agents/VoiceAgent.ts"
import { fixedPhrases } from "../../dialogue/FixedPhrases.ts"
import type { TelephonyConnection } from "../../telephony/PhoneNumber.ts"
import { spokenByProvider } from "../live/ProviderVoice.ts"
import { Voicemails } from "./Voicemail.ts"

/** How long the audio may take. The provider waits 15 s for its instructions, and the caller hears ringing meanwhile. */
const speechWithin = "4 seconds"

export interface GreetingLine {
  readonly sentence: string
  /** BCP 47, for the provider's own voice. */
  readonly language: string
  /** Speech cache key of the audio in the agent's voice. Without it the provider's voice says the sentence. */
  readonly audioKey?: string
}

export interface TakeVoicemailAnswer {
  readonly _tag: "TakeVoicemail"
  readonly callId: string
  readonly lines: ReadonlyArray<GreetingLine>
  readonly maxSeconds: number
}

/** A webhook about a recording. Its account has been verified. */
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

/** Needs the stores, the speech cache and text-to-speech; the functions it returns need nothing. */
export const makeTakeVoicemail = Effect.gen(function* () {
  const cache = yield* SpeechCache
  const tts = yield* TextToSpeech
  const voicemails = yield* Voicemails

  /** The cache key, once the audio is in the cache; `undefined` when it is not ready in time. */
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

  /** `inEnglish` is said instead when neither our voice nor the provider's can say the sentence. */
  const line = Effect.fnUntraced(function* (agent: VoiceAgent, sentence: string, inEnglish: string) {
    const audioKey = yield* spoken({ text: sentence, ...voiceConfig(agent) })
    const said = { sentence, language: agent.primaryLanguage }
    if (audioKey !== undefined) return { ...said, audioKey }
    // The provider cannot read every language that our voices speak.
    const { language } = spokenByProvider(agent.primaryLanguage, () => inEnglish)
    return language === agent.primaryLanguage ? said : { sentence: inEnglish, language }
  })

  /** The instructions for a caller outside business hours. */
  const greet = traced("TakeVoicemail.greet")(function* (
    organization: Organization,
    agent: VoiceAgent,
    callId: string
  ) {
    const heard = asHeard(agent, organization)
    const lines = yield* Effect.all(
      [
        line(heard, disclosureIn(organization, agent.primaryLanguage), defaultDisclosureText),
        line(heard, voicemailMessage(agent), fixedPhrases("en-IN").closed)
      ],
      { concurrency: "unbounded" }
    )
    const { maxSeconds } = agent.voicemail
    return { _tag: "TakeVoicemail", callId, lines, maxSeconds } satisfies TakeVoicemailAnswer as TakeVoicemailAnswer
  })

  /** Stores that there is a message, or that there is none. False when this account does not have the call. */
  const recorded = traced("TakeVoicemail.recorded")(function* (hook: RecordingWebhook) {
    const { connection, callId, callSid, recordingSid, recordingStatus } = hook
    const { organizationId, accountSid } = connection
    const note = recordingStatus === "absent" || recordingStatus === "failed" ? voicemails.absent : voicemails.received
    return yield* note({ organizationId, accountSid, callId, callSid, recordingSid }, yield* Clock.currentTimeMillis)
  })

  return { greet, recorded }
})
