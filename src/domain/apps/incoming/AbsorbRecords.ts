/** Takes the records of a provider over: each by the absorber of its subject, in a transaction of its own. */
import { Cause, Effect } from "effect"
import { storableTexts } from "../../basics/PlainText.ts"
import { type AbsorbNote, AppAbsorbers } from "../AppAbsorbers.ts"
import type { StoredConnection } from "../AppConnection.ts"
import type { AppRecord } from "../AppRecord.ts"

export interface Absorbed {
  readonly notes: ReadonlyArray<AbsorbNote>
  /** Records that could not be stored. */
  readonly broken: number
}

/** Needs AppAbsorbers once; the function it gives needs nothing. A record that cannot be stored does not keep the others from it. */
export const makeAbsorbRecords = Effect.gen(function* () {
  const absorbers = yield* AppAbsorbers

  const absorb = (from: StoredConnection, record: AppRecord, now: number): Effect.Effect<ReadonlyArray<AbsorbNote>> => {
    const none = Effect.succeed([])
    switch (record._tag) {
      case "contact":
        return absorbers.contact?.(from, record, now) ?? none
      case "customer":
        return absorbers.customer?.(from, record, now) ?? none
      case "product":
        return absorbers.product?.(from, record, now) ?? none
      case "order":
        return absorbers.order?.(from, record, now) ?? none
      case "checkout":
        return absorbers.checkout?.(from, record, now) ?? none
      case "payment":
        return absorbers.payment?.(from, record, now) ?? none
      case "chat":
        return absorbers.chat?.(from, record, now) ?? none
      case "removed":
        return absorbers[record.what]?.(from, record, now) ?? none
    }
  }

  return Effect.fnUntraced(function* (from: StoredConnection, records: ReadonlyArray<AppRecord>, now: number) {
    const notes: Array<AbsorbNote> = []
    let broken = 0
    for (const record of records) {
      const { provider, organizationId } = from
      const taken = yield* Effect.catchCauseIf(
        absorb(from, storableTexts(record), now),
        (cause) => !Cause.hasInterrupts(cause),
        (cause) => {
          broken += 1
          const which = { organizationId, provider, what: record._tag, externalId: record.externalId }
          return Effect.as(Effect.logError("a record of an integration could not be taken over", which, cause), [
            { contactId: null, text: `The record ${record.externalId} could not be taken over.` }
          ])
        }
      )
      notes.push(...taken)
    }
    return { notes, broken } satisfies Absorbed
  })
})
export type AbsorbRecords = Effect.Success<typeof makeAbsorbRecords>
