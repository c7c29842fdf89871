/** The recordings that processes of the sound write, until each of them is complete. */
import { Deferred, Effect } from "effect"

/** The last seconds of a recording reach the disk within this time after the call, or are given up. */
const longestWait = "10 seconds"

interface AwaitedRecording {
  /** Waits until the file is complete, for a moment at most. Then it is awaited no longer. */
  readonly finished: Effect.Effect<void>
  /** It is awaited no longer: the call goes on elsewhere. */
  readonly forget: () => void
}

export class AwaitedRecordings {
  private readonly awaited = new Map<string, Deferred.Deferred<void>>()

  get size(): number {
    return this.awaited.size
  }

  add(file: string): AwaitedRecording {
    const written = Deferred.makeUnsafe<void>()
    this.awaited.set(file, written)
    // A call that left and came back has another one of the same file.
    const forget = () => {
      if (this.awaited.get(file) === written) this.awaited.delete(file)
    }
    const finished = Deferred.await(written).pipe(
      Effect.timeoutOption(longestWait),
      Effect.andThen(Effect.sync(forget))
    )
    return { finished, forget }
  }

  /** The file is complete. */
  complete(file: string): void {
    const written = this.awaited.get(file)
    if (written !== undefined) Deferred.doneUnsafe(written, Effect.void)
  }
}
