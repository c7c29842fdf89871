/**
 * Parts of long lists, newest first. A reader asks for a part by its page number, which is convenient, or by the place where the last part ended,
 * which stays right while records are added in front.
 */

/** One page of a list. */
export interface Page<A> {
  readonly data: ReadonlyArray<A>
  /** The number of records in the whole list. */
  readonly total: number
}

/** The last record of a part: its time (Unix milliseconds) and id. */
export interface Place {
  readonly at: number
  readonly id: string
}

/** Which part of a list is asked for: at most `limit` records, by `page` or from the record after `after`. */
export interface Part {
  /** From 1. Ignored when `after` is given. */
  readonly page: number
  readonly limit: number
  readonly after?: Place
}

export interface Listed<A> extends Page<A> {
  /** The last record of this part, as `after` for the next one; null at the end of the list. */
  readonly next: Place | null
}
