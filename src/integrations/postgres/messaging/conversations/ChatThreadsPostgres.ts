/** The conversations of threads in Postgres. Two messages that begin a thread at the same moment begin one conversation. */
import { Effect, Layer } from "effect"
import { newId } from "../../../../domain/basics/Ids.ts"
import { traced } from "../../../../domain/basics/Traced.ts"
import { ChatThreads, type ThreadPlace } from "../../../../domain/messaging/conversations/ChatThread.ts"
import { holdName, makeSql } from "../../tenancy/Sql.ts"
import { tellOfNew } from "./ConversationOpening.ts"

export const layer = Layer.effect(
  ChatThreads,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const known = ({ teamId, channelId, threadId }: ThreadPlace) =>
      Effect.map(
        sql<{ conversationId: string }>`SELECT conversation_id FROM chat_threads
          WHERE team_id = ${teamId} AND channel_id = ${channelId} AND thread_id = ${threadId}`,
        (rows) => rows.at(0)?.conversationId
      )

    const begin = Effect.fnUntraced(function* (organizationId: string, place: ThreadPlace, contactId: string) {
      const { teamId, channelId, threadId } = place
      const name = `${organizationId}|thread|${teamId}|${channelId}|${threadId}`
      yield* holdName(sql, name)
      const before = yield* known(place)
      if (before !== undefined) return before
      const id = newId("cnv")
      yield* sql`INSERT INTO conversations (organization_id, id, contact_id, channel)
        VALUES (${organizationId}, ${id}, ${contactId}, 'team_chat')`
      yield* sql`INSERT INTO chat_threads (organization_id, team_id, channel_id, thread_id, conversation_id)
        VALUES (${organizationId}, ${teamId}, ${channelId}, ${threadId}, ${id})`
      yield* tellOfNew(sql, organizationId, [id])
      return id
    })

    return ChatThreads.of({
      open: traced("ChatThreads.open")(function* (organizationId, place, contactId) {
        const tenant = asTenant(organizationId)
        return (yield* tenant(known(place))) ?? (yield* tenant(begin(organizationId, place, contactId)))
      }, Effect.orDie),

      placeOf: traced("ChatThreads.placeOf")(function* (organizationId, conversationId) {
        const rows = yield* asTenant(organizationId)(
          sql<ThreadPlace>`SELECT team_id, channel_id, thread_id FROM chat_threads WHERE conversation_id = ${conversationId}`
        )
        return rows.at(0)
      }, Effect.orDie)
    })
  })
)
