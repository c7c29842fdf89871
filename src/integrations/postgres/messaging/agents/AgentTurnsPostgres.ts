/** The turns of text agents in Postgres. What a turn brings about is written in one transaction, under the lock of its conversation. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { dayAt } from "../../../../domain/basics/Calendar.ts"
import { idFrom } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { decimalAmount } from "../../../../domain/business/records/Money.ts"
import {
  answeredUpTo,
  failedAt,
  held,
  longestTranscriptionMs,
  mayAnswer,
  turnAt
} from "../../../../domain/messaging/agents/AgentThread.ts"
import {
  AgentTurns,
  type Turn,
  type TurnMessage,
  type TurnOutcome
} from "../../../../domain/messaging/agents/AgentTurns.ts"
import { disclosed } from "../../../../domain/messaging/agents/AnswerText.ts"
import { replyWindow } from "../../../../domain/messaging/conversations/Conversation.ts"
import type { ConversationFence } from "../../../../domain/messaging/conversations/ConversationFence.ts"
import type { OwnershipEvent } from "../../../../domain/messaging/conversations/ConversationStatus.ts"
import { OutboxWakeUp } from "../../../../domain/messaging/sending/Outbox.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { writeAudit } from "../../tenancy/AuditPostgres.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { dueTurns } from "../conversations/AcrossTenants.ts"
import { saveThread, threadOf, wordsAwaited } from "../conversations/AgentThreads.ts"
import { lockConversation, moveConversation } from "../conversations/ConversationLock.ts"
import { writeNote } from "../conversations/ConversationNotesPostgres.ts"
import { insertMessage } from "../conversations/InsertMessage.ts"
import type { LockedConversation } from "../conversations/LockedConversation.ts"
import { type MessageRow, message, messages, selectMessages } from "../conversations/MessageRows.ts"
import { addUsage, tokensSince } from "./AiTokens.ts"
import { makeToolRuns, runsOf } from "./ToolRuns.ts"

interface AboutRow {
  readonly name: string | null
  readonly tags: ReadonlyArray<string>
  readonly timeZone: string
  readonly summary: string | null
  readonly summarizedUntil: Date | null
  readonly lastInboundAt: Date | null
}

const aboutConversation = (sql: PgClient.PgClient, conversationId: string) =>
  sql<AboutRow>`SELECT c.name, c.tags, o.time_zone, t.summary, t.summarized_until, v.last_inbound_at FROM conversations v
    JOIN contacts c ON c.organization_id = v.organization_id AND c.id = v.contact_id
    JOIN organizations o ON o.id = v.organization_id
    LEFT JOIN agent_threads t ON t.organization_id = v.organization_id AND t.conversation_id = v.id
    WHERE v.id = ${conversationId}`.pipe(Effect.map(([row]) => row))

interface OrderRow {
  readonly number: string
  readonly status: string
  readonly currency: string
  readonly total: string
  readonly placedAt: Date
}

const mostOrders = 3

/** The newest orders of a contact, each in a line. */
const ordersOf = (sql: PgClient.PgClient, contactId: string) =>
  Effect.map(
    sql<OrderRow>`SELECT number, status, currency, total::text, placed_at FROM orders
      WHERE contact_id = ${contactId} AND archived_at IS NULL ORDER BY created_at DESC, id DESC LIMIT ${mostOrders}`,
    (rows) =>
      rows.map(({ number, status, currency, total, placedAt }) => {
        const amount = `${decimalAmount(Number(total), currency)} ${currency}`
        return `${JSON.stringify(number)} (${status}, ${amount}, placed on ${placedAt.toISOString().slice(0, 10)})`
      })
  )

const mostDeals = 3

/** The deals that calls with a contact were about, the newest call first. */
const dealsOf = (sql: PgClient.PgClient, contactId: string) =>
  Effect.map(
    sql<{ dealId: string }>`SELECT deal_id FROM calls WHERE contact_id = ${contactId} AND deal_id IS NOT NULL
      GROUP BY deal_id ORDER BY max(created_at) DESC LIMIT ${mostDeals}`,
    (rows) => rows.map(({ dealId }) => dealId)
  )

/** The event that a turn's end causes, if it gives the conversation away. */
const ownershipOf = (kind: TurnOutcome["kind"]): ReadonlyArray<OwnershipEvent> => {
  if (kind === "handed_over") return [{ type: "unassign" }]
  return kind === "resolved" ? [{ type: "resolve" }] : []
}

export const layer = Layer.effect(
  AgentTurns,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    const wakeUp = yield* OutboxWakeUp
    const toolRuns = yield* makeToolRuns

    const history = (conversationId: string, after: Date | null, most: number) =>
      sql<MessageRow>`${selectMessages(sql)} WHERE m.conversation_id = ${conversationId} AND m.type <> 'reaction'
        AND (${after}::timestamptz IS NULL OR m.created_at > ${after}) AND NOT (m.direction = 'outbound' AND m.status = 'failed') ORDER BY m.created_at DESC, m.id DESC LIMIT ${most}`.pipe(
        Effect.flatMap(messages),
        Effect.map((newestFirst) => newestFirst.toReversed())
      )

    const begin = Effect.fnUntraced(function* (
      organizationId: string,
      conversationId: string,
      most: number,
      now: number,
      fence: ConversationFence | undefined
    ) {
      const locked = yield* lockConversation(sql, organizationId, conversationId, fence)
      if (locked === undefined) return undefined
      const thread = yield* threadOf(sql, conversationId)
      const base = turnAt(thread, now)
      const { agentId } = thread
      if (base === undefined || agentId === null || locked.ownership.assignee !== agentId) return undefined
      const awaited = base.byReminder ? undefined : yield* wordsAwaited(sql, conversationId, now)
      if (awaited !== undefined) {
        yield* saveThread(sql, locked, held(thread, awaited + longestTranscriptionMs))
        return undefined
      }
      const id = idFrom("trn", `${conversationId} ${thread.version} ${thread.answered} ${base.byReminder}`)
      const { name, tags, timeZone, summary, summarizedUntil } = yield* aboutConversation(sql, conversationId)
      const today = dayAt(now, timeZone)
      const { contactId } = locked
      const [orders, dealIds] = [yield* ordersOf(sql, contactId), yield* dealsOf(sql, contactId)]
      return {
        ...base,
        id,
        organizationId,
        conversationId,
        agentId,
        contact: { id: contactId, name, tags, orders, dealIds },
        history: yield* history(conversationId, summarizedUntil, most),
        most,
        fresh: thread.received - thread.answered,
        summary,
        summarizedUntil: summarizedUntil?.getTime() ?? null,
        reminder: thread.reminder,
        failures: thread.failures,
        ran: yield* runsOf(sql, conversationId, id),
        tokensThisMonth: yield* tokensSince(sql, `${today.slice(0, 7)}-01`)
      } satisfies Turn
    })

    const meter = Effect.fnUntraced(function* (
      { organizationId, agentId }: Turn,
      usage: TurnOutcome["usage"],
      now: number
    ) {
      if (usage.length > 0) yield* addUsage(sql, organizationId, agentId, usage, now)
    })

    /** Stores the turn's messages. The id of each is the same for every attempt of the turn. */
    const say = Effect.fnUntraced(function* (
      turn: Turn,
      { contactId, channel }: LockedConversation,
      said: ReadonlyArray<TurnMessage>,
      now: number
    ) {
      const { organizationId, conversationId, agentId } = turn
      for (const [index, { type, content, sources }] of said.entries()) {
        const id = idFrom("msg", `${turn.id} ${index}`)
        const draft = {
          id,
          organizationId,
          conversationId,
          direction: "outbound",
          type,
          content,
          sentBy: agentId,
          ...(sources === undefined ? {} : { sources })
        } as const
        // A millisecond apart, so that they are listed in their order.
        const [made] = yield* insertMessage(sql, draft, channel, now + index)
        if (made === undefined) return yield* Effect.die(new Error(`The turn ${turn.id} has said something before`))
        const stored = yield* Effect.orDie(message({ ...made, contactId, channel }))
        yield* recordEvent(sql, organizationId, { type: "message.queued", data: { message: stored } }, now)
      }
      if (said.length > 0) yield* sql.afterCommit(wakeUp.wake)
    })

    /** What people look up afterwards: the note, why it was handed over, what the filter found. */
    const record = Effect.fnUntraced(function* (turn: Turn, { note, reason, flags, kind }: TurnOutcome) {
      const { organizationId, conversationId: subjectId, agentId } = turn
      if (note !== null) yield* writeNote(sql, organizationId, subjectId, agentId, note)
      if (kind === "handed_over")
        yield* writeAudit(sql, organizationId, {
          action: "conversation.handed_over",
          subjectId,
          after: { agentId, reason }
        })
      for (const { what, text, categories } of flags)
        yield* writeAudit(sql, organizationId, {
          action: "conversation.flagged",
          subjectId,
          after: { agentId, what, text, categories }
        })
      if (flags.length > 0) yield* sql`UPDATE conversations SET flagged = true WHERE id = ${subjectId}`
    })

    /** Tells the organization once a month that its tokens are used. */
    const tellOfAllowance = Effect.fnUntraced(function* (
      { organizationId }: Turn,
      allowance: number,
      month: string,
      now: number
    ) {
      const told = yield* sql`UPDATE organizations SET ai_allowance_told = ${month}
        WHERE ai_allowance_told IS DISTINCT FROM ${month} RETURNING id`
      if (told.length === 0) return
      const used = yield* tokensSince(sql, `${month}-01`)
      const usage = { month, allowance, used }
      yield* recordEvent(sql, organizationId, { type: "ai.allowance_used", data: { usage } }, now)
      yield* writeAudit(sql, organizationId, { action: "ai.allowance_used", subjectId: organizationId, after: usage })
    })

    const settle = Effect.fnUntraced(function* (
      turn: Turn,
      outcome: TurnOutcome,
      now: number,
      fence: ConversationFence | undefined
    ) {
      const { organizationId, conversationId } = turn
      const { kind } = outcome
      // The organization's row is locked before the conversation's: see docs/locks.md.
      const { timeZone, lastInboundAt } = (yield* aboutConversation(sql, conversationId)) ?? {
        timeZone: "UTC",
        lastInboundAt: null
      }
      if (outcome.overAllowance !== null)
        yield* tellOfAllowance(turn, outcome.overAllowance.allowance, dayAt(now, timeZone).slice(0, 7), now)
      const locked = yield* lockConversation(sql, organizationId, conversationId, fence)
      if (locked === undefined) return false
      yield* meter(turn, outcome.usage, now)
      const thread = yield* threadOf(sql, conversationId)
      if (!mayAnswer(thread, turn) || locked.ownership.assignee !== turn.agentId) return false
      if (kind === "failed") {
        yield* saveThread(sql, locked, failedAt(thread, now))
        return true
      }
      const open = replyWindow(locked.channel, lastInboundAt?.getTime() ?? null, now)?.open !== false
      const told = thread.disclosed ? outcome.said : disclosed(outcome.said, outcome.disclosure)
      const said = open ? told : []
      yield* say(turn, locked, said, now)
      const after = answeredUpTo(thread, turn, now, outcome.reminder ?? undefined)
      yield* saveThread(sql, locked, { ...after, disclosed: thread.disclosed || said.length > 0 })
      yield* record(turn, outcome)
      const wrote = said.length > 0 ? { wrote: { who: "us", at: now } as const } : {}
      // Unanswered in time: the channel takes no free text any more, so a person has to send a template.
      const ownership = open ? ownershipOf(kind) : ownershipOf("handed_over")
      yield* moveConversation(sql, locked, { ownership, ...wrote })
      return true
    })

    return AgentTurns.of({
      begin: traced("AgentTurns.begin")((organizationId, conversationId, most, now, fence) =>
        asTenant(organizationId)(begin(organizationId, conversationId, most, now, fence)).pipe(
          Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
        )
      ),
      settle: traced("AgentTurns.settle")((turn, outcome, now, fence) =>
        asTenant(turn.organizationId)(settle(turn, outcome, now, fence)).pipe(
          Effect.catchTags({ SqlError: Effect.die, SchemaError: Effect.die })
        )
      ),
      since: traced("AgentTurns.since")(
        ({ organizationId, conversationId }, after, most) =>
          asTenant(organizationId)(history(conversationId, after === null ? null : new Date(after), most)),
        Effect.orDie
      ),
      keepSummary: traced("AgentTurns.keepSummary")(function* (
        { organizationId, conversationId, summarizedUntil: from },
        { summary, until }
      ) {
        yield* asTenant(organizationId)(
          sql`UPDATE agent_threads SET summary = ${summary}, summarized_until = ${new Date(until)} WHERE conversation_id = ${conversationId}
            AND summarized_until IS NOT DISTINCT FROM ${from === null ? null : new Date(from)}::timestamptz`
        )
      }, Effect.orDie),
      meter: traced("AgentTurns.meter")(
        (turn, usage, now) => asTenant(turn.organizationId)(meter(turn, usage, now)),
        Effect.orDie
      ),
      beginTool: traced("AgentTurns.beginTool")(
        (turn, run, now) => asTenant(turn.organizationId)(toolRuns.begin(turn, run, now)),
        Effect.orDie
      ),
      endTool: traced("AgentTurns.endTool")(
        (turn, key, answer, now) => asTenant(turn.organizationId)(toolRuns.end(turn, key, answer, now)),
        Effect.orDie
      ),
      overdue: traced("AgentTurns.overdue")((at, most) => dueTurns(sql, at, most), Effect.orDie)
    })
  })
)
