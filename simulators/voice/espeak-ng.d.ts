declare module "@echogarden/espeak-ng-emscripten" {
  export interface SynthesisEvent {
    readonly type: string
    /** 1-based, in code points. */
    readonly text_position: number
    readonly word_length: number
    /** Milliseconds from the start of the audio. */
    readonly audio_position: number
  }
  export interface Worker {
    /** 0 when the voice exists. */
    set_voice(name: string): number
    /** Words per minute. */
    set_rate(wordsPerMinute: number): void
    /** 0 to 99. */
    set_pitch(pitch: number): void
    /** Synchronous; the callback returns true to stop. */
    synthesize(text: string, callback: (samples: Int16Array, events: ReadonlyArray<SynthesisEvent>) => boolean): void
  }
  export default function load(): Promise<{ readonly eSpeakNGWorker: new () => Worker }>
}
