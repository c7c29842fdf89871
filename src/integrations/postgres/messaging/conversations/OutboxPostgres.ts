/**
 * Begins the handover of a claimed message of the outbox: one statement (`begin_deliveries`) notes the start and reads the message. Messages that
 * begin at the same moment share the statement.
 */
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import type { ChannelRecipient, SendableType } from "../../../../domain/messaging/channel/MessagingChannel.ts"
import type { Message } from "../../../../domain/messaging/conversations/Message.ts"
import { type Beginning, Outbox, type OutboxClaim } from "../../../../domain/messaging/sending/Outbox.ts"
import { makeBatching } from "../../tenancy/Batching.ts"
import { rerunning } from "../../tenancy/Conflicts.ts"
import { makeSql } from "../../tenancy/Sql.ts"

interface Row {
  readonly messageId: string
  /** Since when an answer of the channel is outstanding. Null when the message is to be handed over; only then the other columns have values. */
  readonly waitsSince: Date | null
  readonly type: SendableType
  readonly content: Message["content"]
  readonly phone: string | null
  readonly userId: string | null
  /** The thread of a conversation of team chat. */
  readonly teamId: string | null
  readonly channelId: string | null
  readonly threadId: string | null
  readonly replyTo: string | null
  /** The channel's id of the message that a reaction is about. */
  readonly reactsTo: string | null
  readonly queuedAt: Date
  readonly unanswered: number
}

/** A claim in the form that the database function `begin_deliveries` takes. */
interface Claim {
  readonly messageId: string
  readonly attempt: number
  readonly at: Date
  /** If an earlier handover began before this time and still has no report, the message is handed over again. */
  readonly silentSince: Date
}

const impossible = (reason: string): Beginning => ({ _tag: "Impossible", reason })

const recipientOf = ({ phone, userId, teamId, channelId, threadId }: Row): ChannelRecipient | undefined => {
  if (teamId !== null && channelId !== null && threadId !== null) return { thread: { teamId, channelId, threadId } }
  return phone !== null ? { phone } : userId !== null ? { userId } : undefined
}

const beginning = ({ organizationId, messageId }: OutboxClaim, row: Row): Beginning => {
  const { type, replyTo, reactsTo, queuedAt, unanswered } = row
  const to = recipientOf(row)
  if (to === undefined) return impossible("The channel does not know this contact: it has no number.")
  if (type === "reaction" && reactsTo === null)
    return impossible("The message it reacts to never reached the channel, so there is nothing to react to.")
  const content = type === "reaction" ? { ...row.content, channelMessageId: reactsTo } : row.content
  const message = { organizationId, messageId, to, type, content, ...(replyTo === null ? {} : { replyTo }) }
  return { _tag: "Send", message, queuedAt: queuedAt.getTime(), unanswered }
}

export const layer = Layer.effect(
  Outbox,
  Effect.gen(function* () {
    const { sql } = yield* makeSql

    const beginAll = Effect.fnUntraced(function* (organizationId: string, claims: ReadonlyArray<Claim>) {
      const rows = yield* rerunning(sql<Row>`SELECT * FROM begin_deliveries(${organizationId}, ${sql.json(claims)})`)
      const begun = new Map(rows.map((row) => [row.messageId, row]))
      return claims.map(({ messageId }) => begun.get(messageId))
    })
    const begin = yield* makeBatching(beginAll)

    return Outbox.of({
      begin: traced("Outbox.begin")(function* (claim, now, patienceMs) {
        const { organizationId, messageId, attempt } = claim
        const silentSince = new Date(now - patienceMs)
        const row = yield* begin(organizationId, { messageId, attempt, at: new Date(now), silentSince })
        if (row === undefined) return { _tag: "Over" } as const
        return row.waitsSince === null
          ? beginning(claim, row)
          : ({ _tag: "Wait", until: row.waitsSince.getTime() + patienceMs } as const)
      }, Effect.orDie)
    })
  })
)
