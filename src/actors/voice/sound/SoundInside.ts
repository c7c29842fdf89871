/** The sound of a call in the process of its mind. Commands run at once; events come in a microtask, as if they had been on their way. */
import { CallAudio, type CallAudioOptions } from "./CallAudio.ts"
import type { CallSound, SoundCommand } from "./CallSound.ts"

export class SoundInside implements CallSound {
  /** What the provider's socket and the media clock call. */
  readonly audio: CallAudio

  constructor(options: CallAudioOptions) {
    const { tell } = options
    this.audio = new CallAudio({ ...options, tell: (event) => queueMicrotask(() => tell(event)) })
  }

  run(command: SoundCommand): void {
    this.audio.run(command)
  }
  get voicedAt(): number {
    return this.audio.voicedAt
  }
  get quietMs(): number {
    return this.audio.speech.quietMs
  }
  get unplayedMs(): number {
    return this.audio.speech.unplayedMs
  }
}
