/** What is known of a played dialogue, from the caller's end of the line and from the model's: all that the scorer is given. */

/** Times are milliseconds since the call was answered; speech is from its first to its last voiced sample. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

export interface SpokenPart extends Span {
  readonly text: string
}

export type Happening =
  | {
      readonly _tag: "Turn"
      readonly parts: ReadonlyArray<SpokenPart>
      /** The agent was speaking when it began. */
      readonly interrupts: boolean
      /** Speech-to-text can make words of it as it was on the line. */
      readonly intelligible: boolean
    }
  /** A sound that asks for nothing: over the agent's speech, or when nobody speaks. */
  | { readonly _tag: "Disturbance"; readonly span: Span; readonly over: boolean }
  /** The caller says nothing so long. */
  | { readonly _tag: "Quiet"; readonly span: Span }

/** One answer that the model was asked for. */
export interface Answer {
  /** When the model was asked. */
  readonly atMs: number
  /** What the caller said, as the model was told: everything since the agent's last words. */
  readonly said: string
  /** How long the agent sounds when it says the whole answer. */
  readonly soundsMs: number
  /** The transcript shows that the caller heard it, at least its first word. */
  readonly heard: boolean
}

export interface ObservedCall {
  readonly happenings: ReadonlyArray<Happening>
  readonly answers: ReadonlyArray<Answer>
  /** For each 20 ms of the call, whether the agent was audible. */
  readonly audible: ReadonlyArray<boolean>
  /** When the engine emptied the play-out. */
  readonly clearsMs: ReadonlyArray<number>
}

export const startOf = (happening: Happening): number =>
  happening._tag === "Turn" ? happening.parts[0].startMs : happening.span.startMs

export const endOf = (happening: Happening): number =>
  happening._tag === "Turn" ? happening.parts[happening.parts.length - 1].endMs : happening.span.endMs
