/** Replaces the passages of a source, with the words by which they are found, in the transaction of the caller. */
import type { PgClient } from "@effect/sql-pg"
import { Clock, Effect } from "effect"
import type { Skipped, SyncJob } from "../../../domain/ai/knowledge/KnowledgeSource.ts"
import type { IndexedPassage } from "../../../domain/ai/knowledge/PassageIndex.ts"
import { piecesOf } from "../../../domain/ai/knowledge/SearchWords.ts"
import { holdName } from "../tenancy/Sql.ts"

/** Rows of one statement. */
const rowsAtOnce = 2_000

interface WordRow {
  readonly word: string
  readonly numbers: Array<number>
  readonly weights: Array<number>
}

/** The words of all passages, with the numbers of the passages that have them. In order, so that two syncs lock index pages alike. */
const wordRows = (passages: ReadonlyArray<IndexedPassage>): ReadonlyArray<WordRow> => {
  const rows = new Map<string, WordRow>()
  for (const [number, { words }] of passages.entries())
    for (const [word, weight] of words) {
      const row = rows.get(word) ?? { word, numbers: [], weights: [] }
      row.numbers.push(number)
      row.weights.push(Math.round(weight * 10_000) / 10_000)
      rows.set(word, row)
    }
  return [...rows.values()]
}

/** The words that are spelled with each piece. Numbers are not searched by pieces. */
const pieceRows = (words: ReadonlyArray<string>) => {
  const rows = new Map<string, Array<string>>()
  for (const word of words)
    if (word.length >= 3 && !/^\p{N}+$/u.test(word))
      for (const piece of piecesOf(word)) rows.set(piece, [...(rows.get(piece) ?? []), word])
  return [...rows].map(([piece, all]) => ({ piece, words: all }))
}

const inGroups = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / rowsAtOnce) }, (_, at) =>
    all.slice(at * rowsAtOnce, (at + 1) * rowsAtOnce)
  )

export const makeReplacePassages = (sql: PgClient.PgClient) => {
  const fresh = Effect.fnUntraced(function* (
    { organizationId, source }: SyncJob,
    passages: ReadonlyArray<IndexedPassage>
  ) {
    const { id, knowledgeBaseId } = source
    const texts = passages.map(({ title, headings, text, url }, number) => ({ number, title, headings, text, url }))
    for (const rows of inGroups(texts))
      yield* sql`INSERT INTO knowledge_passages (organization_id, source_id, number, title, headings, text, url, hash)
        SELECT ${organizationId}, ${id}, number, title, headings, text, url,
          sha256(convert_to(concat_ws(E'\n', title, array_to_string(headings, E'\n'), text), 'UTF8'))
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (number integer, title text, headings text[], text text, url text)`
    const words = wordRows(passages)
    for (const rows of inGroups(words))
      yield* sql`INSERT INTO knowledge_words (organization_id, knowledge_base_id, source_id, word, numbers, weights)
        SELECT ${organizationId}, ${knowledgeBaseId}, ${id}, word, numbers, weights
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (word text, numbers integer[], weights real[])`
    for (const rows of inGroups(pieceRows(words.map(({ word }) => word))))
      yield* sql`INSERT INTO knowledge_pieces (organization_id, knowledge_base_id, source_id, piece, words)
        SELECT ${organizationId}, ${knowledgeBaseId}, ${id}, piece, words
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (piece text, words text[])`
  })

  return Effect.fnUntraced(function* (
    job: SyncJob,
    passages: ReadonlyArray<IndexedPassage>,
    dictionaries: ReadonlyArray<string>,
    skipped: ReadonlyArray<Skipped>
  ) {
    const { organizationId, source, generation, mostPassages } = job
    // One at a time in an organization, so that two together do not exceed what its plan has.
    yield* holdName(sql, `passages of ${organizationId}`)
    const held = yield* sql`SELECT 1 FROM knowledge_sources
      WHERE id = ${source.id} AND generation = ${generation} AND state = 'syncing' FOR NO KEY UPDATE`
    if (held.length === 0) return "changed" as const
    const [{ others }] = yield* sql<{ others: number }>`SELECT coalesce(sum(passages), 0)::int AS others
      FROM knowledge_sources WHERE id <> ${source.id}`
    if (others + passages.length > mostPassages) return "full" as const
    yield* sql`DELETE FROM knowledge_passages WHERE source_id = ${source.id}`
    yield* sql`DELETE FROM knowledge_words WHERE source_id = ${source.id}`
    yield* sql`DELETE FROM knowledge_pieces WHERE source_id = ${source.id}`
    yield* fresh(job, passages)
    const now = yield* Clock.currentTimeMillis
    const at = new Date(now)
    const { syncEveryHours: hours } = source
    yield* sql`UPDATE knowledge_sources SET state = 'ready', problem = NULL, progress = NULL, attempts = 0, synced_at = ${at},
      due_at = ${hours === null ? null : new Date(now + hours * 3_600_000)}, passages = ${passages.length},
      vectors_model = NULL, vectors_due_at = NULL, vectors_attempts = 0, vectors_problem = NULL, dictionaries = ${dictionaries}, skipped = ${JSON.stringify(skipped)}::jsonb WHERE id = ${source.id}`
    return "stored" as const
  })
}
