/**
 * Parts of long lists, newest first. Asked for by page, which people like, or by the place where the last part ended, which stays right
 * while records are added in front.
 */

/** A part by its page. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  /** How many there are in all parts together. */
  readonly total: number
}

/** The last record of a part: its time (Unix milliseconds) and id. */
export interface Place {
  readonly at: number
  readonly id: string
}

export interface Part {
  /** From 1; only counts without `after`. */
  readonly page: number
  readonly limit: number
  readonly after?: Place
}

export interface Listed<A> extends Page<A> {
  /** Where the next part begins; null at the end. */
  readonly next: Place | null
}
