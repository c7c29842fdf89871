/** Use case: hear a voice before an agent has it. */
import { Effect, Schema, Stream } from "effect"
import { type SpeechError, TextToSpeech, VoiceFamily } from "../../ai/providers/Speech.ts"
import { maxCharacters, oneLine } from "../../basics/PlainText.ts"
import { mulawWav } from "../../basics/Wav.ts"
import { type Organization, premiumRefusal, voiceRefusal } from "../../people/organizations/Organization.ts"
import { lockedStack, voiceConfig } from "./AgentConfigs.ts"
import { PrimaryLanguage } from "./VoiceAgent.ts"
import { findVoice, speaks } from "./Voices.ts"

export const VoicePreview = Schema.Struct({
  voiceFamily: VoiceFamily,
  voiceId: Schema.String.check(maxCharacters(200)),
  primaryLanguage: PrimaryLanguage,
  text: oneLine(300).check(Schema.isPattern(/\S/))
}).annotate({
  title: "VoicePreview",
  examples: [
    {
      voiceFamily: "english",
      voiceId: "aura-2-thalia-en",
      primaryLanguage: "en-US",
      text: "Maple Books, how can I help you?"
    }
  ]
})
export type VoicePreview = typeof VoicePreview.Type

/** 400: there is no such voice, or it does not speak the language; `message` is a sentence. */
export class NoSuchVoice extends Schema.TaggedError<NoSuchVoice>()("NoSuchVoice", { message: Schema.String }) {}
/** 403: the organization may not use the voice; `message` is a sentence. */
export class VoiceNotAllowed extends Schema.TaggedError<VoiceNotAllowed>()("VoiceNotAllowed", {
  message: Schema.String
}) {}
/** 500: the provider did not answer in time, or refused. */
export class VoiceSilent extends Schema.TaggedError<VoiceSilent>()("VoiceSilent", { message: Schema.String }) {}

const patience = "10 seconds"
/** A minute of mu-law; longer speech is cut off. */
const mostBytes = 60 * 8_000

const silent = ({ message }: SpeechError) => new VoiceSilent({ message: `The voice could not be asked: ${message}` })

/** Needs TextToSpeech. The function it gives says the text as an agent with this voice would: a WAV file. */
export const makePreviewVoice = Effect.map(TextToSpeech, (tts) =>
  Effect.fnUntraced(function* (
    organization: Pick<Organization, "plan" | "flags">,
    { voiceFamily, voiceId, primaryLanguage, text }: VoicePreview
  ) {
    const refusal = voiceRefusal(organization) ?? (voiceFamily === "premium" ? premiumRefusal(organization) : undefined)
    if (refusal !== undefined) return yield* new VoiceNotAllowed({ message: refusal })
    const voice = findVoice(voiceFamily, voiceId)
    if (voice === undefined || !speaks(voice, primaryLanguage))
      return yield* new NoSuchVoice({
        message: `voiceId is invalid: the ${voiceFamily} family has no such voice that speaks ${primaryLanguage}.`
      })
    const providerStack = lockedStack({ voiceFamily, voiceId })
    const request = { text, ...voiceConfig({ voiceFamily, voiceId, primaryLanguage, providerStack }) }
    const chunks = yield* tts.synthesize(request).pipe(
      Stream.runCollect,
      Effect.mapError(silent),
      Effect.timeoutOrElse({
        duration: patience,
        orElse: () => Effect.fail(new VoiceSilent({ message: "The voice did not answer in time." }))
      })
    )
    return mulawWav(Buffer.concat([...chunks]).subarray(0, mostBytes))
  })
)
