/** Stamps the steps of the answer that is being made, as far as the sound sees them. Monotonic milliseconds. */
import type { TurnStamps } from "./CallSound.ts"

export class TurnStamper {
  private turn = 0
  private voicedAt = 0
  private transcriptAt = 0
  private decisionAt = 0
  private firstAudioAt = 0
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** A turn has just ended: the times of its last voiced frame and of its transcript. */
  decided(voicedAt: number, transcriptAt: number): void {
    this.voicedAt = voicedAt
    this.transcriptAt = transcriptAt
    this.decisionAt = this.now()
  }
  /** The model is asked for the answer to this turn; for a guess that is before the turn is decided. The stamps until `firstFrame` belong to it. */
  begin(turn: number): void {
    this.turn = turn
    this.firstAudioAt = 0
  }
  /** The answer under way will not be heard. */
  cancel(): void {
    this.turn = 0
  }
  firstAudio(): void {
    if (this.turn !== 0 && this.firstAudioAt === 0) this.firstAudioAt = this.now()
  }
  /** True while a turn has its first audio and waits for its first frame. */
  get awaitsFrame(): boolean {
    return this.turn !== 0 && this.firstAudioAt !== 0
  }
  /** The first frame of the answer went out. */
  firstFrame(): TurnStamps {
    const { turn, voicedAt, transcriptAt, decisionAt, firstAudioAt } = this
    this.turn = 0
    return { turn, voicedAt, transcriptAt, decisionAt, firstAudioAt, firstFrameAt: this.now() }
  }
}
