/** Stamps of the turn being answered, in monotonic milliseconds, all reported relative to the caller's last voiced frame. */
import type { TurnLatency } from "../../../domain/voice/engine/CallEvent.ts"

export class TurnClock {
  readonly turns: Array<TurnLatency> = []
  /** When the caller's speech ended, for each of `turns`, on the call's clock. */
  readonly endsOfSpeech: Array<number> = []
  private turn = 0
  private voicedAt = 0
  private transcriptAt = 0
  private decisionAt = 0
  private firstTokenAt = 0
  private firstAudioAt = 0
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** The last voiced frame of a turn that has just ended, and when its transcript came. */
  decided(voicedAt: number, transcriptAt: number): void {
    this.voicedAt = voicedAt
    this.transcriptAt = transcriptAt
    this.decisionAt = this.now()
  }
  /** The answer to this turn is being made (on a guess: before the turn is decided). From here until `firstFrame` the stamps are its. */
  begin(turn: number): void {
    this.turn = turn
    this.firstTokenAt = 0
    this.firstAudioAt = 0
  }
  /** Nothing will be heard of the answer being made. */
  cancel(): void {
    this.turn = 0
  }
  firstToken(): void {
    if (this.turn !== 0 && this.firstTokenAt === 0) this.firstTokenAt = this.now()
  }
  firstAudio(): void {
    if (this.turn !== 0 && this.firstAudioAt === 0) this.firstAudioAt = this.now()
  }
  /** True while a turn waits for its first frame and speech for it is there. */
  get awaitsFrame(): boolean {
    return this.turn !== 0 && this.firstAudioAt !== 0
  }
  /** Closes the turn's row. */
  firstFrame(): TurnLatency {
    const since = (at: number) => (at === 0 ? null : Math.round((at - this.voicedAt) * 10) / 10)
    const row: TurnLatency = {
      turn: this.turn,
      decisionMs: since(this.decisionAt),
      transcriptMs: since(this.transcriptAt),
      firstTokenMs: since(this.firstTokenAt),
      firstAudioMs: since(this.firstAudioAt),
      firstFrameMs: since(this.now())
    }
    this.turns.push(row)
    this.endsOfSpeech.push(this.voicedAt)
    this.turn = 0
    return row
  }
}
