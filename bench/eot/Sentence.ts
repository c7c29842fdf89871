/** What callers of the end-of-turn bench say. */

/**
 * `text` is one turn in the words of a recogniser, without punctuation. ` | ` is a place where a speaker may stop to think; `{name}` is replaced by one
 * of the words of that name.
 */
export interface Language {
  readonly tag: "en-US" | "hi-IN"
  readonly voices: ReadonlyArray<string>
  readonly fillers: ReadonlyArray<string>
  readonly words: Readonly<Record<string, ReadonlyArray<string>>>
  readonly sentences: ReadonlyArray<string>
}
