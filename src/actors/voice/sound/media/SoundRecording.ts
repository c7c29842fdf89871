/** Writes the recording of a call to its file, beside the call: the disk never holds up a frame. */
import { makeRecorder, type Recorder } from "../Recorder.ts"

/** A recording's file that is being written. */
export interface RecordingFile {
  readonly write: (interleaved: Int16Array) => void
  /** Rejected flushes lose nothing: the next one goes on. Never two at a time. */
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

const flushEveryMs = 2_000
/** A finished recording that cannot be written is given up after so many flushes. What is on disk is kept. */
const lastFlushes = 30

export interface SoundRecordingOptions {
  readonly file: RecordingFile
  readonly now: () => number
  readonly elapsedMs: number
  /** The file is complete, or has been given up. */
  readonly done: () => void
  readonly warn: (sentence: string, cause: unknown) => void
}

export class SoundRecording {
  readonly recorder: Recorder
  private readonly options: SoundRecordingOptions
  private timer: ReturnType<typeof setTimeout> | undefined
  private over = false
  private failures = 0
  private flushing = false

  constructor(options: SoundRecordingOptions) {
    this.options = options
    const { file, now, elapsedMs } = options
    this.recorder = makeRecorder({ write: (interleaved) => file.write(interleaved), now, elapsedMs })
    this.wait()
  }

  /** The call is over. Doing it twice changes nothing. */
  end(): void {
    if (this.over) return
    this.recorder.end()
    this.over = true
    clearTimeout(this.timer)
    this.flush()
  }

  private wait(): void {
    this.timer = setTimeout(() => this.flush(), flushEveryMs)
  }

  private flush(): void {
    // The flush under way is followed by another one.
    if (this.flushing) return
    this.flushing = true
    const last = this.over
    this.options.file.flush().then(
      () => this.flushed(last),
      (cause: unknown) => {
        this.options.warn("a recording cannot be written to disk", cause)
        this.flushed(last && ++this.failures >= lastFlushes)
      }
    )
  }

  private flushed(complete: boolean) {
    this.flushing = false
    if (!complete) return this.over && this.failures === 0 ? this.flush() : this.wait()
    this.options.file
      .close()
      .catch((cause: unknown) => this.options.warn("the file of a recording cannot be closed", cause))
      .finally(this.options.done)
  }
}
