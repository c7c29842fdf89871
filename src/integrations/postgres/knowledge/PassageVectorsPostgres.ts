/** Vectors of passages in Postgres, and the claims of sources whose passages have none yet. */
import { Clock, Effect, Layer } from "effect"
import { PassageVectors, type VectorJob } from "../../../domain/ai/knowledge/PassageVectors.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { knowledgeAgentId } from "../../../domain/usage/AiUsage.ts"
import { addUsage } from "../messaging/agents/AiTokens.ts"
import { makeSql } from "../tenancy/Sql.ts"
import { unembeddedKnowledgeSources } from "./AcrossTenants.ts"

interface SourceRow {
  readonly id: string
  readonly knowledgeBaseId: string
  readonly vectorsAt: Date
  readonly passages: number
}

const bytesOf = (vector: Float32Array): Buffer => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)

export const layer = Layer.effect(
  PassageVectors,
  Effect.gen(function* () {
    const { sql, asTenant } = yield* makeSql

    const claimOne = Effect.fnUntraced(function* (
      { organizationId, id }: { readonly organizationId: string; readonly id: string },
      model: string,
      now: number,
      leaseMs: number
    ) {
      const rows = yield* sql<{ attempts: number }>`UPDATE knowledge_sources
        SET vectors_due_at = ${new Date(now + leaseMs)}, vectors_attempts = vectors_attempts + 1
        WHERE id = ${id} AND passages > 0 AND vectors_model IS DISTINCT FROM ${model}
          AND (vectors_due_at IS NULL OR vectors_due_at <= ${new Date(now)}) RETURNING vectors_attempts AS attempts`
      return rows.map(({ attempts }): VectorJob => ({ organizationId, sourceId: id, attempts }))
    })

    const without = (model: string) => sql`p.hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM knowledge_vectors v
      WHERE v.source_id = p.source_id AND v.hash = p.hash AND v.model = ${model})`

    const store = Effect.fnUntraced(function* (
      { organizationId, sourceId }: VectorJob,
      model: string,
      vectors: ReadonlyArray<{ readonly hash: string; readonly vector: Float32Array }>,
      tokens: number,
      until: number
    ) {
      const usage = { model, inputTokens: tokens, outputTokens: 0 }
      yield* addUsage(sql, organizationId, knowledgeAgentId, [usage], yield* Clock.currentTimeMillis)
      // The lock waits for a removal of the source.
      const held =
        yield* sql`UPDATE knowledge_sources SET vectors_due_at = ${new Date(until)} WHERE id = ${sourceId} RETURNING id`
      if (held.length > 0)
        yield* sql`INSERT INTO knowledge_vectors (organization_id, source_id, hash, model, vector)
          SELECT ${organizationId}, ${sourceId}, decode(hash, 'hex'), ${model}, vector
          FROM unnest(${vectors.map(({ hash }) => hash)}::text[], ${vectors.map(({ vector }) => bytesOf(vector))}::bytea[])
            AS made (hash, vector)
          ON CONFLICT (organization_id, source_id, hash) DO UPDATE SET model = excluded.model, vector = excluded.vector`
    })

    const finish = Effect.fnUntraced(function* (sourceId: string, model: string) {
      yield* sql`SELECT 1 FROM knowledge_sources WHERE id = ${sourceId} FOR NO KEY UPDATE`
      const missing =
        yield* sql`SELECT 1 FROM knowledge_passages p WHERE p.source_id = ${sourceId} AND ${without(model)} LIMIT 1`
      if (missing.length > 0) return false
      yield* sql`DELETE FROM knowledge_vectors v WHERE v.source_id = ${sourceId} AND NOT EXISTS
        (SELECT 1 FROM knowledge_passages p WHERE p.source_id = v.source_id AND p.hash = v.hash)`
      yield* sql`UPDATE knowledge_sources SET vectors_model = ${model}, vectors_at = ${new Date(yield* Clock.currentTimeMillis)},
        vectors_due_at = NULL, vectors_attempts = 0, vectors_problem = NULL WHERE id = ${sourceId}`
      return true
    })

    return PassageVectors.of({
      claim: traced("PassageVectors.claim")(function* (model, now, leaseMs, most) {
        const due = yield* unembeddedKnowledgeSources(sql, model, now, most)
        const claimed = yield* Effect.forEach(due, (one) =>
          asTenant(one.organizationId)(claimOne(one, model, now, leaseMs))
        )
        return claimed.flat()
      }, Effect.orDie),
      missing: traced("PassageVectors.missing")(
        ({ organizationId, sourceId }, model, most) =>
          asTenant(organizationId)(
            sql<{ hash: string; text: string }>`SELECT DISTINCT ON (p.hash) encode(p.hash, 'hex') AS hash,
                concat_ws(E'\n', p.title, array_to_string(p.headings, E'\n'), p.text) AS text
              FROM knowledge_passages p WHERE p.source_id = ${sourceId} AND ${without(model)} ORDER BY p.hash LIMIT ${most}`
          ),
        Effect.orDie
      ),
      store: traced("PassageVectors.store")(
        (job, model, vectors, tokens, until) => asTenant(job.organizationId)(store(job, model, vectors, tokens, until)),
        Effect.orDie
      ),
      finish: traced("PassageVectors.finish")(
        ({ organizationId, sourceId }, model) => asTenant(organizationId)(finish(sourceId, model)),
        Effect.orDie
      ),
      postpone: traced("PassageVectors.postpone")(
        ({ organizationId, sourceId }, again, problem) =>
          asTenant(organizationId)(
            sql`UPDATE knowledge_sources SET vectors_due_at = ${new Date(again)}, vectors_problem = ${problem} WHERE id = ${sourceId}`
          ).pipe(Effect.asVoid),
        Effect.orDie
      ),
      sources: traced("PassageVectors.sources")(
        (organizationId, model, bases) =>
          Effect.map(
            asTenant(organizationId)(
              sql<SourceRow>`SELECT id, knowledge_base_id, vectors_at, passages FROM knowledge_sources
                WHERE vectors_model = ${model} AND passages > 0
                  ${bases === undefined ? sql`` : sql`AND knowledge_base_id = ANY (${bases}::text[])`}`
            ),
            (rows) => rows.map(({ vectorsAt, ...row }) => ({ ...row, version: vectorsAt.getTime() }))
          ),
        Effect.orDie
      ),
      read: traced("PassageVectors.read")(
        (organizationId, sourceId, from, most) =>
          asTenant(organizationId)(
            sql<{ number: number; vector: Buffer }>`SELECT p.number, v.vector FROM knowledge_passages p
              JOIN knowledge_vectors v ON v.source_id = p.source_id AND v.hash = p.hash
              WHERE p.source_id = ${sourceId} AND p.number >= ${from} ORDER BY p.number LIMIT ${most}`
          ),
        Effect.orDie
      )
    })
  })
)
