/** The audio of one clause from one response, or from two when the first breaks off. */
import { Effect, type Scope } from "effect"
import type { SpeechError } from "../../domain/ai/providers/Speech.ts"
import type { SpeechAudio } from "./SpeechAudio.ts"

/** How often a clause is requested again after its audio broke off. */
const maxResumptions = 1

/**
 * The audio of one clause. When it breaks off, the clause is requested again, and the audio continues at the same place. The same words in the same
 * voice take about as long, so the caller hears at most a small jump.
 */
export class ClauseAudio {
  /** The next piece that was not passed on yet; undefined at the end. */
  readonly piece: Effect.Effect<Uint8Array | undefined, SpeechError, Scope.Scope>
  private audio: SpeechAudio
  private given = 0
  private toSkip = 0
  private resumptions = 0

  constructor(
    begun: SpeechAudio,
    again: Effect.Effect<SpeechAudio, SpeechError, Scope.Scope>,
    betweenChunksMs: number,
    broken: (cause: unknown) => SpeechError
  ) {
    this.audio = begun
    const next = Effect.tryPromise({ try: () => this.next(betweenChunksMs), catch: broken })
    this.piece = Effect.catch(next, (error) => {
      if (this.resumptions++ === maxResumptions) return Effect.fail(error)
      this.audio.leave()
      return Effect.logWarning("speech broke off, asked for again", error).pipe(
        Effect.andThen(again),
        Effect.flatMap((anew) => {
          this.audio = anew
          this.toSkip = this.given
          return this.piece
        })
      )
    })
  }

  private async next(betweenChunksMs: number): Promise<Uint8Array | undefined> {
    let sound = await this.audio.next(betweenChunksMs)
    while (sound !== undefined && sound.length <= this.toSkip) {
      this.toSkip -= sound.length
      sound = await this.audio.next(betweenChunksMs)
    }
    const fresh = sound?.subarray(this.toSkip)
    this.toSkip = 0
    this.given += fresh?.length ?? 0
    return fresh
  }
}
