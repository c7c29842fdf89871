/** The times of the answered turns, each relative to the caller's last voiced frame: the sound's stamps, and when the model was asked and answered. */
import type { TurnLatency } from "../../../domain/voice/engine/CallEvent.ts"
import type { TurnStamps } from "../sound/CallSound.ts"

/** When the model was asked, and when its first token came: 0 if it did not. Monotonic milliseconds. */
interface Asked {
  readonly askedAt: number
  firstTokenAt: number
}

export class TurnClock {
  readonly turns: Array<TurnLatency> = []
  /** When the caller's speech ended, for each of `turns`, on the call's clock. */
  readonly endsOfSpeech: Array<number> = []
  /** The turns without a first frame so far. */
  private readonly asked = new Map<number, Asked>()
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** The model is asked for the answer to this turn. */
  begin(turn: number): void {
    this.asked.set(turn, { askedAt: this.now(), firstTokenAt: 0 })
  }
  firstToken(turn: number): void {
    const asked = this.asked.get(turn)
    if (asked !== undefined && asked.firstTokenAt === 0) asked.firstTokenAt = this.now()
  }
  /** The first frame of the answer went out: adds the turn's row to `turns`. */
  firstFrame({ turn, voicedAt, transcriptAt, decisionAt, firstAudioAt, firstFrameAt }: TurnStamps): void {
    const { askedAt = 0, firstTokenAt = 0 } = this.asked.get(turn) ?? {}
    for (const earlier of this.asked.keys()) if (earlier <= turn) this.asked.delete(earlier)
    const since = (at: number) => (at === 0 ? null : Math.round((at - voicedAt) * 10) / 10)
    this.turns.push({
      turn,
      decisionMs: since(decisionAt),
      transcriptMs: since(transcriptAt),
      modelAskedMs: since(askedAt),
      firstTokenMs: since(firstTokenAt),
      firstAudioMs: since(firstAudioAt),
      firstFrameMs: since(firstFrameAt)
    })
    this.endsOfSpeech.push(voicedAt)
  }
}
