/** Time stamps of the turn that is being answered, in monotonic milliseconds. All are reported relative to the caller's last voiced frame. */
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

  /** A turn has just ended: the times of its last voiced frame and of its transcript. */
  decided(voicedAt: number, transcriptAt: number): void {
    this.voicedAt = voicedAt
    this.transcriptAt = transcriptAt
    this.decisionAt = this.now()
  }
  /** The answer to this turn is being made; for a guess that is before the turn is decided. The stamps until `firstFrame` belong to it. */
  begin(turn: number): void {
    this.turn = turn
    this.firstTokenAt = 0
    this.firstAudioAt = 0
  }
  /** The answer under way will not be heard. */
  cancel(): void {
    this.turn = 0
  }
  firstToken(): void {
    if (this.turn !== 0 && this.firstTokenAt === 0) this.firstTokenAt = this.now()
  }
  firstAudio(): void {
    if (this.turn !== 0 && this.firstAudioAt === 0) this.firstAudioAt = this.now()
  }
  /** True while a turn has its first audio and waits for its first frame. */
  get awaitsFrame(): boolean {
    return this.turn !== 0 && this.firstAudioAt !== 0
  }
  /** The first frame of the answer went out: adds the turn's row to `turns`. */
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
