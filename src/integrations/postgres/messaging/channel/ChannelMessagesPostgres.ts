/** Postgres store for messages by their id at the channel, and for the files that arrive for them. */
import { Effect, Layer } from "effect"
import type { TokenUsage } from "../../../../domain/ai/providers/Reasoning.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { ChannelMessages, type VoiceNoteNews } from "../../../../domain/messaging/channel/ChannelMessages.ts"
import type { Message } from "../../../../domain/messaging/conversations/Message.ts"
import { voiceNotesAgentId } from "../../../../domain/usage/AiUsage.ts"
import { recordEvent } from "../../events/EventLog.ts"
import { makeSql } from "../../tenancy/Sql.ts"
import { addUsage } from "../agents/AiTokens.ts"
import { tellOfWords } from "../conversations/AgentThreads.ts"
import { lockConversation } from "../conversations/ConversationLock.ts"
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
      news: Message["content"] | VoiceNoteNews,
      now: number
    ) {
      yield* sql`SELECT 1 FROM conversations WHERE id = (SELECT conversation_id FROM messages WHERE id = ${messageId}) FOR NO KEY UPDATE`
      const changed = yield* sql`UPDATE messages SET content = content || ${sql.json(news)}
        WHERE id = ${messageId} AND direction = 'inbound' AND NOT content @> ${sql.json(news)} AND NOT content ? 'deleted'
          AND coalesce(content->>'editedAt', '') < coalesce(${sql.json(news)}::jsonb->>'editedAt', '~') RETURNING id`
      if (changed.length === 0) return (yield* sql`SELECT 1 FROM messages WHERE id = ${messageId}`).length > 0
      const [row] = yield* sql<MessageRow>`${selectMessages(sql)} WHERE m.id = ${messageId}`
      const data = { message: yield* message(row) }
      yield* recordEvent(sql, organizationId, { type: "message.updated", data }, now)
      return true
    })

    /** Stores the words of a voice message, what they cost, and what they change for the text agent of its conversation. */
    const transcribed = Effect.fnUntraced(function* (
      organizationId: string,
      messageId: string,
      news: VoiceNoteNews,
      usage: ReadonlyArray<TokenUsage>,
      now: number
    ) {
      const [found] = yield* sql<{ conversationId: string; heard: boolean }>`SELECT conversation_id,
        content ?| ARRAY['transcript', 'transcriptError'] AS heard FROM messages WHERE id = ${messageId}`
      const locked =
        found === undefined ? undefined : yield* lockConversation(sql, organizationId, found.conversationId, undefined)
      if (locked === undefined) return undefined
      if (usage.length > 0) yield* addUsage(sql, organizationId, voiceNotesAgentId, usage, now)
      if (!found.heard) yield* change(organizationId, messageId, news, now)
      const [row] = yield* sql<MessageRow>`${selectMessages(sql)} WHERE m.id = ${messageId}`
      if (row === undefined) return undefined
      const whole = yield* message(row)
      if (!found.heard) yield* tellOfWords(sql, locked, whole, now)
      return whole
    })

    return ChannelMessages.of({
      transcribed: traced("ChannelMessages.transcribed")(
        (organizationId, messageId, news, usage, now) =>
          asTenant(organizationId)(transcribed(organizationId, messageId, news, usage, now)),
        Effect.orDie
      ),

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

      edit: traced("ChannelMessages.edit")(
        (organizationId, messageId, content, now) =>
          Effect.asVoid(asTenant(organizationId)(change(organizationId, messageId, content, now))),
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
