/** The audio of one clause from one response, or from two when the first breaks off. */
import { Effect, type Scope } from "effect"
import type { SpeechError } from "../../domain/ai/providers/Speech.ts"
import type { Answer } from "../connections/Answer.ts"
import { WavHeaderStripper } from "./WavHeaderStripper.ts"

/** A response whose first audio has come. */
export interface Begun {
  readonly first: Buffer
  readonly rest: Answer
}

/** The audio of one response as it comes, without a header. */
class Audio {
  private readonly header = new WavHeaderStripper()
  private readonly rest: Answer
  private waiting: Buffer | undefined
  private ended = false

  constructor({ first, rest }: Begun) {
    this.waiting = first
    this.rest = rest
  }

  /** The next piece with sound in it; undefined at the end. */
  async next(betweenChunksMs: number): Promise<Uint8Array | undefined> {
    while (!this.ended) {
      const piece = this.waiting ?? (await this.rest.next(betweenChunksMs))
      this.waiting = undefined
      this.ended = piece === undefined
      const sound = piece === undefined ? this.header.end() : this.header.push(piece)
      if (sound.length > 0) return sound
    }
    return undefined
  }

  leave(): void {
    this.rest.leave()
  }
}

/** How often a clause is requested again after its audio broke off. */
const maxResumptions = 1

/**
 * The audio of one clause. When it breaks off, the clause is requested again, and the audio continues at the same place. The same words in the same
 * voice take about as long, so the caller hears at most a small jump.
 */
export class ClauseAudio {
  /** The next piece that was not passed on yet; undefined at the end. */
  readonly piece: Effect.Effect<Uint8Array | undefined, SpeechError, Scope.Scope>
  private audio: Audio
  private given = 0
  private toSkip = 0
  private resumptions = 0

  constructor(
    begun: Begun,
    again: Effect.Effect<Begun, SpeechError, Scope.Scope>,
    betweenChunksMs: number,
    broken: (cause: unknown) => SpeechError
  ) {
    this.audio = new Audio(begun)
    const next = Effect.tryPromise({ try: () => this.next(betweenChunksMs), catch: broken })
    this.piece = Effect.catch(next, (error) => {
      if (this.resumptions++ === maxResumptions) return Effect.fail(error)
      this.audio.leave()
      return Effect.logWarning("speech broke off, asked for again", error).pipe(
        Effect.andThen(again),
        Effect.flatMap((anew) => {
          this.audio = new Audio(anew)
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
