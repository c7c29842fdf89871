/** What the simulated provider was asked and has answered so far. */

export interface SpeechToTextStats {
  connections: number
  open: number
  refused: number
  messages: number
  audioSamples: number
  flushes: number
  /** Milliseconds the slowest recognition took. */
  slowestMs: number
  /** The last 1,000 transcripts, oldest first. */
  readonly transcripts: Array<string>
}
