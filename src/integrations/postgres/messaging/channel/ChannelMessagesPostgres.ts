/** Postgres store for messages by their id at the channel, and for the files that arrive for them. */
import { Effect, Layer } from "effect"
import { traced } from "../../../../domain/basics/Traced.ts"
import { ChannelMessages } from "../../../../domain/messaging/channel/ChannelMessages.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { type MessageRow, message, selectMessages } from "../conversations/MessageRows.ts"

export const layer = Layer.effect(
  ChannelMessages,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    /**
     * Merges `news` into the message's content and records an event, unless the content has it already. Locks the conversation, as every change of
     * its messages does. Gives false when there is no such message.
     */
    const change = Effect.fnUntraced(function* (
      organizationId: string,
      messageId: string,
      news: { readonly mediaId: string } | { readonly mediaError: string },
      now: number
    ) {
      yield* sql`SELECT 1 FROM conversations WHERE id = (SELECT conversation_id FROM messages WHERE id = ${messageId}) FOR NO KEY UPDATE`
      const changed = yield* sql`UPDATE messages SET content = content || ${sql.json(news)}
        WHERE id = ${messageId} AND direction = 'inbound' AND NOT content @> ${sql.json(news)} RETURNING id`
      if (changed.length === 0) return (yield* sql`SELECT 1 FROM messages WHERE id = ${messageId}`).length > 0
      const [row] = yield* sql<MessageRow>`${selectMessages(sql)} WHERE m.id = ${messageId}`
      const data = { message: yield* message(row) }
      yield* recordEvent(sql, organizationId, { type: "message.updated", data }, now)
      return true
    })

    return ChannelMessages.of({
      idOf: traced("ChannelMessages.idOf")(function* (organizationId, channelMessageId) {
        const rows = yield* asTenant(organizationId)(
          sql<{ id: string }>`SELECT id FROM messages WHERE channel_message_id = ${channelMessageId}`
        )
        return rows.at(0)?.id
      }, Effect.orDie),

      attach: traced("ChannelMessages.attach")(
        (organizationId, messageId, mediaId, now) =>
          asTenant(organizationId)(change(organizationId, messageId, { mediaId }, now)),
        Effect.orDie
      ),

      missing: traced("ChannelMessages.missing")(
        (organizationId, messageId, mediaError, now) =>
          Effect.asVoid(asTenant(organizationId)(change(organizationId, messageId, { mediaError }, now))),
        Effect.orDie
      )
    })
  })
)
