/** What a synthesizer's worker thread is asked for, and what it answers. */

export interface Job {
  readonly id: number
  readonly text: string
  readonly voice: string
  readonly rate: number
  readonly pitch: number
}

export interface Answer {
  /** 8 kHz, not rounded, level as it came. */
  readonly samples: Float64Array
  /** `position` counts code points of the text from 0. */
  readonly events: ReadonlyArray<{ readonly type: "word" | "end"; readonly position: number; readonly atMs: number }>
}
