/**
 * Applies status reports of the channel to messages: updates the messages, removes them from the outbox (`apply_reports`) and records events. Reports
 * that arrive at the same moment share a transaction.
 */
import { Clock, Effect } from "effect"
import {
  type Message,
  type ReportedMessage,
  reported,
  type StatusReport
} from "../../../../domain/messaging/conversations/Message.ts"
import { eventsRecorded, tellEvents } from "../../events/EventLog.ts"
import { makeBatching } from "../../tenancy/Batching.ts"
import type { makeSql } from "../../tenancy/Sql.ts"
import { type MessageRow, message, progress } from "./MessageRows.ts"

interface Reporting {
  readonly which: ReportedMessage
  readonly news: StatusReport
}

interface HeldRow extends MessageRow {
  /** The position among the reports, from 1. */
  readonly place: number
}

/** The clock of the channel may be behind ours: nothing happens to a message before it was made. */
const dateOrNull = (time: string | null, createdAt: Date) =>
  time === null ? null : new Date(Math.max(createdAt.getTime(), Date.parse(time)))

const after = (row: HeldRow, { which, news }: Reporting): HeldRow => {
  const { status, sentAt, deliveredAt, readAt, failedAt, failure } = reported(progress(row), news)
  return {
    ...row,
    status,
    sentAt: dateOrNull(sentAt, row.createdAt),
    deliveredAt: dateOrNull(deliveredAt, row.createdAt),
    readAt: dateOrNull(readAt, row.createdAt),
    failedAt: dateOrNull(failedAt, row.createdAt),
    failureCode: failure?.code ?? null,
    failureReason: failure?.reason ?? null,
    channelMessageId: row.channelMessageId ?? which.channelMessageId ?? null
  }
}

/** A changed message in the form that the database function `apply_reports` takes. */
const changeOf = (row: HeldRow) => {
  const { id, status, sentAt, deliveredAt, readAt, failedAt, failureCode, failureReason, channelMessageId } = row
  return { id, status, sentAt, deliveredAt, readAt, failedAt, failureCode, failureReason, channelMessageId }
}

/** Makes the function that applies one report. That function gives the message after the report, or `undefined` for an unknown message. */
export const makeMessageReports = Effect.fnUntraced(function* ({ sql, asTenant }: Effect.Success<typeof makeSql>) {
  /**
   * Applies the reports and gives the messages, in the same order. A result is `undefined` when the message is unknown. With `patient` false it is
   * also `undefined` when another transaction has locked the conversation; with `patient` true this call waits for the lock.
   */
  const applyAll = Effect.fnUntraced(
    function* (organizationId: string, reports: ReadonlyArray<Reporting>, patient: boolean) {
      const wanted = reports.map(({ which }) => which)
      const rows = yield* sql<HeldRow>`SELECT h.place, (h.message).*, h.contact_id, h.channel
        FROM hold_reported(${organizationId}, ${sql.json(wanted)}, ${patient}) h`
      const idAt = new Map(rows.map(({ place, id }) => [place, id]))
      const held = new Map(rows.map((row) => [row.id, row]))
      const news: Array<{ readonly type: "message.status"; readonly data: { readonly message: Message } }> = []
      const changed: Array<Message | undefined> = []
      // Reports are applied one after the other, because two of them may concern one message.
      for (const [i, report] of reports.entries()) {
        const before = held.get(idAt.get(i + 1) ?? "")
        const now = before === undefined ? undefined : after(before, report)
        const record = now === undefined ? undefined : yield* message(now)
        changed.push(record)
        if (now === undefined || record === undefined) continue
        held.set(now.id, now)
        if (now.status !== before?.status) news.push({ type: "message.status", data: { message: record } })
      }
      if (held.size === 0) return changed
      const applied = sql`SELECT apply_reports(${organizationId}, ${sql.json([...held.values()].map(changeOf))})`
      if (news.length === 0) yield* applied
      else {
        yield* sql`WITH told AS (${eventsRecorded(sql, organizationId, news, yield* Clock.currentTimeMillis)}) ${applied}`
        yield* tellEvents
      }
      return changed
    },
    Effect.catchTag("SchemaError", Effect.die)
  )

  const apply = (organizationId: string, reports: ReadonlyArray<Reporting>, patient: boolean) =>
    asTenant(organizationId)(applyAll(organizationId, reports, patient))
  const together = yield* makeBatching((organizationId, reports: ReadonlyArray<Reporting>) =>
    apply(organizationId, reports, false)
  )

  return Effect.fnUntraced(function* (organizationId: string, which: ReportedMessage, news: StatusReport) {
    const report = { which, news }
    const changed = yield* together(organizationId, report)
    return changed ?? (yield* apply(organizationId, [report], true))[0]
  })
})
