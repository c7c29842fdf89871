/** What the log of a connection says of records that came in. Bodies are left out: they say things of people whom an erasure would not find there. */
import type { AbsorbNote } from "./AppAbsorbers.ts"
import type { Exchange } from "./Exchange.ts"

export interface HeardEntry extends Exchange {
  /** Whom it is about; null: nobody in particular. */
  readonly contactId: string | null
}

/** The requests without bodies and queries, then the notes of absorbers. */
export const heardLog = (
  exchanges: ReadonlyArray<Exchange>,
  notes: ReadonlyArray<AbsorbNote>,
  at: number
): ReadonlyArray<HeardEntry> => [
  ...exchanges.map((one) => ({
    ...one,
    url: one.url.split("?")[0],
    request: null,
    response: null,
    contactId: null
  })),
  ...notes.map(({ contactId, text }) => ({
    ...{ at, method: "NOTE", url: "", request: null, status: null, response: null, error: text, durationMs: 0 },
    contactId
  }))
]
