/** The stems of words, by Postgres' dictionaries. Searches ask the same dictionaries (`search_knowledge`). */
import { Effect, Layer } from "effect"
import { WordStems } from "../../../domain/ai/knowledge/Documents.ts"
import { stemDictionaries } from "../../../domain/ai/knowledge/KnowledgeLanguage.ts"
import { traced } from "../../../domain/basics/Traced.ts"
import { makeSql } from "../tenancy/Sql.ts"

const dictionaryOf = (language: string): string =>
  Object.entries(stemDictionaries).find(([known]) => known === language)?.[1] ?? stemDictionaries.other

export const layer = Layer.effect(
  WordStems,
  Effect.map(makeSql, ({ sql }) => ({
    stems: traced("WordStems.stems")(function* (language, words) {
      const [{ dictionary }] = yield* sql<{ dictionary: string }>`SELECT coalesce(
        (SELECT dictname::text FROM pg_ts_dict WHERE dictname = ${dictionaryOf(language)}), 'simple') AS dictionary`
      const rows = yield* sql<{ word: string; stem: string | null; stops: boolean }>`SELECT w.word, l.stems[1] AS stem,
        l.stems = '{}' AS stops FROM unnest(${words}::text[]) AS w (word)
        CROSS JOIN LATERAL (SELECT ts_lexize(${dictionary}::text::regdictionary, w.word) AS stems) l`
      return { dictionary, stems: new Map(rows.map(({ word, stem, stops }) => [word, stops ? null : (stem ?? word)])) }
    }, Effect.orDie)
  }))
)
