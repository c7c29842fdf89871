/** What goes wrong at the simulated provider. */

/** Change the fields at any time. */
export interface SpeechToTextFaults {
  /** From the end of speech, or the flush, to the transcript. Default 30 ms. */
  latencyMs: number
  /** How many of the next connections are refused with `status`; 0 cuts them. */
  failNext: number
  status: number
  /** Accepts no connection and refuses none: the upgrade gets no answer. */
  hang: boolean
  /** Hears, and never says anything. */
  silent: boolean
  /** Sends this raw text before each transcript. */
  garbage: string | null
  /** The next transcripts are error messages instead, in the three known shapes by turns. */
  errorNext: number
  /** Cuts every open stream without a goodbye. */
  readonly dropSockets: () => void
  /** Stops reading from the streams, so that the sender's buffers fill; false reads on. */
  readonly pauseReading: (paused: boolean) => void
}
