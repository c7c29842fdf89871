/** Knowledge bases in Postgres, with the questions that they did not answer. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Layer, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import {
  KnowledgeBase,
  type KnowledgeBaseChanges,
  KnowledgeBases,
  type NewKnowledgeBase,
  UnansweredQuestion
} from "../../../domain/ai/knowledge/KnowledgeBase.ts"
import { newId } from "../../../domain/basics/Ids.ts"
import type { Part } from "../../../domain/basics/Listing.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { newestFirst } from "../tenancy/Parts.ts"
import { holdName, iso, makeSql } from "../tenancy/Sql.ts"

interface BaseRow {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

interface QuestionRow {
  readonly id: string
  readonly createdAt: Date
}

const decodeBases = Schema.decodeUnknownEffect(Schema.Array(KnowledgeBase))
const decodeQuestions = Schema.decodeUnknownEffect(Schema.Array(UnansweredQuestion))

const toQuestions = (rows: ReadonlyArray<QuestionRow>) =>
  decodeQuestions(rows.map((row) => ({ ...row, createdAt: iso(row.createdAt) })))

/** The most questions of a knowledge base; the oldest go first. */
const mostQuestions = 1_000

/** Whether the organization of the transaction has this knowledge base. */
export const hasBase = (sql: PgClient.PgClient, id: string) =>
  Effect.map(sql`SELECT 1 AS found FROM knowledge_bases WHERE id = ${id}`, (rows) => rows.length > 0)

export const layer = Layer.effect(
  KnowledgeBases,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    /** The records of these rows, with what their sources have. */
    const toBases = Effect.fnUntraced(function* (rows: ReadonlyArray<BaseRow>) {
      const counts = yield* sql<{ id: string; sources: number; passages: number }>`SELECT knowledge_base_id AS id,
        count(*)::int AS sources, sum(passages)::int AS passages FROM knowledge_sources
        WHERE knowledge_base_id = ANY (${rows.map(({ id }) => id)}) GROUP BY 1`
      return yield* decodeBases(
        rows.map((row) => {
          const { sources = 0, passages = 0 } = counts.find(({ id }) => id === row.id) ?? {}
          return { ...row, sources, passages, createdAt: iso(row.createdAt), updatedAt: iso(row.updatedAt) }
        })
      )
    })

    const first = (statement: Fragment) =>
      Effect.flatMap(sql<BaseRow>`${statement}`, (rows) => Effect.map(toBases(rows), (all) => all.at(0)))

    const create = Effect.fnUntraced(function* (organizationId: string, input: NewKnowledgeBase, most: number) {
      // Two at once shall not both be the last one.
      yield* holdName(sql, `knowledge bases of ${organizationId}`)
      const [{ count }] = yield* sql<{ count: number }>`SELECT count(*)::int AS count FROM knowledge_bases`
      if (count >= most) return undefined
      const now = yield* Clock.currentTimeMillis
      const at = new Date(now)
      const { name, description = "", language = "en" } = input
      return yield* first(sql`INSERT INTO knowledge_bases (organization_id, id, name, description, language, created_at, updated_at)
        VALUES (${organizationId}, ${newId("kb", now)}, ${name}, ${description}, ${language}, ${at}, ${at}) RETURNING *`)
    })

    const update = Effect.fnUntraced(function* (id: string, { name, description, language }: KnowledgeBaseChanges) {
      const at = new Date(yield* Clock.currentTimeMillis)
      return yield* first(sql`UPDATE knowledge_bases SET name = coalesce(${name ?? null}, name),
        description = coalesce(${description ?? null}, description), language = coalesce(${language ?? null}, language),
        updated_at = ${at} WHERE id = ${id} RETURNING *`)
    })

    const note = Effect.fnUntraced(function* (
      organizationId: string,
      baseId: string,
      { question, agentId, conversationId }: Pick<UnansweredQuestion, "question" | "agentId" | "conversationId">
    ) {
      const now = yield* Clock.currentTimeMillis
      yield* sql`INSERT INTO knowledge_questions (organization_id, id, knowledge_base_id, question, agent_id, conversation_id, created_at)
        SELECT ${organizationId}, ${newId("knq", now)}, b.id, ${question}, ${agentId}, ${conversationId}, ${new Date(now)}
        FROM knowledge_bases b WHERE b.id = ${baseId}
          AND (${conversationId}::text IS NULL OR EXISTS (SELECT 1 FROM conversations v WHERE v.id = ${conversationId}))`
      yield* sql`DELETE FROM knowledge_questions WHERE knowledge_base_id = ${baseId} AND id IN
        (SELECT id FROM knowledge_questions WHERE knowledge_base_id = ${baseId} ORDER BY created_at DESC, id DESC OFFSET ${mostQuestions})`
    })

    const unanswered = Effect.fnUntraced(function* (id: string, part: Part) {
      if (!(yield* hasBase(sql, id))) return undefined
      const where = sql`knowledge_base_id = ${id}`
      return yield* newestFirst(sql, { table: "knowledge_questions", where, decode: toQuestions }, part)
    })

    return KnowledgeBases.of({
      list: traced("KnowledgeBases.list")(
        (organizationId, part) =>
          asTenant(organizationId)(
            newestFirst(sql, { table: "knowledge_bases", where: sql`TRUE`, decode: toBases }, part)
          ),
        Effect.orDie
      ),
      find: traced("KnowledgeBases.find")(
        (organizationId, id) => asTenant(organizationId)(first(sql`SELECT * FROM knowledge_bases WHERE id = ${id}`)),
        Effect.orDie
      ),
      create: traced("KnowledgeBases.create")(
        (organizationId, input, most) => asTenant(organizationId)(create(organizationId, input, most)),
        Effect.orDie
      ),
      update: traced("KnowledgeBases.update")(
        (organizationId, id, changes) => asTenant(organizationId)(update(id, changes)),
        Effect.orDie
      ),
      remove: traced("KnowledgeBases.remove")(
        (organizationId, id) =>
          Effect.map(
            asTenant(organizationId)(sql`DELETE FROM knowledge_bases WHERE id = ${id} RETURNING id`),
            (gone) => gone.length > 0
          ),
        Effect.orDie
      ),
      known: traced("KnowledgeBases.known")(
        (organizationId, ids) =>
          Effect.map(
            asTenant(organizationId)(sql<{ id: string }>`SELECT id FROM knowledge_bases WHERE id = ANY (${ids})`),
            (rows) => rows.map(({ id }) => id)
          ),
        Effect.orDie
      ),
      noteUnanswered: traced("KnowledgeBases.noteUnanswered")(
        (organizationId, baseIds, question) =>
          asTenant(organizationId)(
            Effect.forEach(baseIds.toSorted(), (baseId) => note(organizationId, baseId, question), { discard: true })
          ),
        Effect.orDie
      ),
      unanswered: traced("KnowledgeBases.unanswered")(
        (organizationId, id, part) => asTenant(organizationId)(unanswered(id, part)),
        Effect.orDie
      )
    })
  })
)
