/** Looks up passages in Postgres. One statement does it all: `search_knowledge`. */
import { Effect, Layer } from "effect"
import { type Passage, SearchKnowledge } from "../../../domain/ai/knowledge/SearchKnowledge.ts"
import { searchWords } from "../../../domain/ai/knowledge/SearchWords.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { makeSql } from "../tenancy/Sql.ts"

/** The most words of a question that are looked up. */
const mostWords = 32

type Row = Omit<Passage, "score"> & { readonly score: number; readonly possible: number }

export const layer = Layer.effect(
  SearchKnowledge,
  Effect.map(makeSql, ({ sql, asTenant }) => ({
    search: traced("SearchKnowledge.search")(function* (organizationId, bases, query, most) {
      const words = [...new Set(searchWords(query))].slice(0, mostWords)
      if (words.length === 0 || bases.length === 0) return []
      const rows = yield* asTenant(organizationId)(
        sql<Row>`SELECT base_id, source_id, number, title, headings, text, url, score, possible
          FROM search_knowledge(${bases}::text[], ${words}::text[], ${most})`
      )
      return rows.map(
        ({ possible, score, ...passage }): Passage => ({
          ...passage,
          score: possible > 0 ? Math.min(1, score / possible) : 0
        })
      )
    }, Effect.orDie),
    read: traced("SearchKnowledge.read")(
      (organizationId, passages) =>
        asTenant(organizationId)(
          sql<
            Omit<Passage, "score">
          >`SELECT s.knowledge_base_id AS base_id, p.source_id, p.number, p.title, p.headings, p.text, p.url
            FROM unnest(${passages.map(({ sourceId }) => sourceId)}::text[], ${passages.map(({ number }) => number)}::integer[])
              AS asked (source_id, number)
            JOIN knowledge_passages p ON p.source_id = asked.source_id AND p.number = asked.number
            JOIN knowledge_sources s ON s.id = p.source_id`
        ),
      Effect.orDie
    )
  }))
)
