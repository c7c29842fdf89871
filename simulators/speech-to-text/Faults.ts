/** Planned failures of the simulated speech-to-text provider. */

/** Change the fields at any time. */
export interface SpeechToTextFaults {
  /** Time from the end of speech or the flush to the transcript. Default 30 ms. */
  latencyMs: number
  /** How many of the next connections are refused with `status`; 0 cuts them. */
  failNext: number
  status: number
  /** Connections are neither accepted nor refused: the upgrade gets no answer. */
  hang: boolean
  /** Never signals activity, though the client asked for it. */
  unsignalled: boolean
  /** How many of the next recordings are refused with `status`; 0 cuts them. */
  failRecordings: number
  /** Takes audio and never sends anything. */
  silent: boolean
  /** Sends this raw text before each transcript. */
  garbage: string | null
  /** How many of the next transcripts are error messages instead, in the three known shapes by turns. */
  errorNext: number
  /** Cuts every open stream without a close frame. */
  readonly dropSockets: () => void
  /** Stops reading from the streams, so that the sender's buffers fill; false continues. */
  readonly pauseReading: (paused: boolean) => void
}
