/** The messages between the synthesizer and its worker thread. */

export interface Job {
  readonly id: number
  readonly text: string
  readonly voice: string
  readonly rate: number
  readonly pitch: number
}

export interface Answer {
  /** 8 kHz, not rounded, with the original level. */
  readonly samples: Float64Array
  /** `position` counts code points of the text from 0. */
  readonly events: ReadonlyArray<{ readonly type: "word" | "end"; readonly position: number; readonly atMs: number }>
}
