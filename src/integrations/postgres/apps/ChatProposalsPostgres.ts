/** What agents propose in team chats, in Postgres. The first decision counts. */
import { Effect, Layer, Schema } from "effect"
import { type ChatProposal, ChatProposals, ProposedChange } from "../../../domain/apps/chat/ChatProposal.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { makeSql } from "../tenancy/Sql.ts"

interface Row extends Omit<ChatProposal, "change"> {
  readonly change: unknown
}

const decodeChange = Schema.decodeUnknownEffect(ProposedChange)

export const layer = Layer.effect(
  ChatProposals,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql
    return ChatProposals.of({
      add: traced("ChatProposals.add")(function* (organizationId, { id, conversationId, change }, now) {
        yield* asTenant(organizationId)(
          sql`INSERT INTO chat_proposals (organization_id, id, conversation_id, change, state, created_at)
            VALUES (${organizationId}, ${id}, ${conversationId}, ${sql.json(change)}, 'open', ${new Date(now)})
            ON CONFLICT DO NOTHING`
        )
      }, Effect.orDie),

      decide: traced("ChatProposals.decide")(function* (organizationId, proposalId, decision, userId) {
        const [row] = yield* asTenant(organizationId)(
          Effect.andThen(
            sql`UPDATE chat_proposals SET state = ${decision}, decided_by = ${userId} WHERE id = ${proposalId} AND state = 'open'`,
            sql<Row>`SELECT id, conversation_id, change, state, decided_by FROM chat_proposals WHERE id = ${proposalId}`
          )
        )
        return row === undefined ? undefined : { ...row, change: yield* decodeChange(row.change) }
      }, Effect.orDie),

      settle: traced("ChatProposals.settle")(function* (organizationId, proposalId, state) {
        yield* asTenant(organizationId)(
          sql`UPDATE chat_proposals SET state = ${state} WHERE id = ${proposalId} AND state = 'confirmed'`
        )
      }, Effect.orDie)
    })
  })
)
