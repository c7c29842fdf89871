/** Counts of the requests to the simulated provider and of its answers. */

export interface SpeechToTextStats {
  connections: number
  open: number
  refused: number
  messages: number
  audioSamples: number
  flushes: number
  /** Recordings that were transcribed as a whole. */
  recordings: number
  /** Milliseconds the slowest recognition took. */
  slowestMs: number
  /** The last 1,000 transcripts, oldest first. */
  readonly transcripts: Array<string>
}
