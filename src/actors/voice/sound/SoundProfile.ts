/** What the sound of a call needs to know of its agent: a part of `AgentConfig`, so that it may cross to another process. */
export interface SoundProfile {
  readonly voice: { readonly language: string }
  readonly escalationPhrases: ReadonlyArray<string>
  readonly endpointing: {
    readonly minSilenceMs: number
    readonly maxSilenceMs: number
    readonly semantic?: "auto" | "off" | undefined
  }
  readonly interruption: { readonly enabled: boolean; readonly minSpeechMs: number; readonly minWords: number }
}
