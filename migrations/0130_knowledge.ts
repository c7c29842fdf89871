/** Knowledge bases: their sources, the passages of these, and the words by which passages are found. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE knowledge_bases (
    organization_id text NOT NULL,
    id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    language text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id) REFERENCES organizations (id) ON DELETE CASCADE
  )`
  yield* isolate("knowledge_bases")

  // `generation` grows with each change of what is synced: a sync of an older one stores nothing. `due_at`: when a worker is to sync it, or when the
  // claim of a worker that died ends.
  yield* sql`CREATE TABLE knowledge_sources (
    organization_id text NOT NULL,
    id text NOT NULL,
    knowledge_base_id text NOT NULL,
    type text NOT NULL CHECK (type IN ('file', 'pages', 'answers')),
    title text NOT NULL,
    content jsonb NOT NULL,
    sync_every_hours integer,
    state text NOT NULL CHECK (state IN ('queued', 'syncing', 'ready', 'failed')),
    problem text,
    progress jsonb,
    skipped jsonb NOT NULL DEFAULT '[]',
    passages integer NOT NULL DEFAULT 0,
    dictionaries text[] NOT NULL DEFAULT '{}',
    generation integer NOT NULL DEFAULT 1,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(3),
    synced_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, knowledge_base_id) REFERENCES knowledge_bases (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX knowledge_sources_of_base ON knowledge_sources (organization_id, knowledge_base_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX knowledge_sources_due ON knowledge_sources (due_at) WHERE due_at IS NOT NULL`
  yield* isolate("knowledge_sources")
  yield* openAcross("knowledge_sources", "due")

  yield* sql`CREATE TABLE knowledge_passages (
    organization_id text NOT NULL,
    source_id text NOT NULL,
    number integer NOT NULL,
    title text NOT NULL,
    headings text[] NOT NULL,
    text text NOT NULL,
    url text,
    vector bytea,
    PRIMARY KEY (organization_id, source_id, number),
    FOREIGN KEY (organization_id, source_id) REFERENCES knowledge_sources (organization_id, id) ON DELETE CASCADE
  )`
  yield* isolate("knowledge_passages")

  // One row for each word of a source, with the passages that have it. Equality is leakproof, so row-level security leaves this index to queries.
  yield* sql`CREATE TABLE knowledge_words (
    organization_id text NOT NULL,
    knowledge_base_id text NOT NULL,
    word text NOT NULL COLLATE "C",
    source_id text NOT NULL,
    numbers integer[] NOT NULL,
    weights real[] NOT NULL,
    PRIMARY KEY (organization_id, knowledge_base_id, word, source_id),
    FOREIGN KEY (organization_id, source_id) REFERENCES knowledge_sources (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX knowledge_words_of_source ON knowledge_words (organization_id, source_id)`
  yield* isolate("knowledge_words")

  // The words of a source by their pieces of three letters: for words that are spelled in another way.
  yield* sql`CREATE TABLE knowledge_pieces (
    organization_id text NOT NULL,
    knowledge_base_id text NOT NULL,
    piece text NOT NULL COLLATE "C",
    source_id text NOT NULL,
    words text[] NOT NULL,
    PRIMARY KEY (organization_id, knowledge_base_id, piece, source_id),
    FOREIGN KEY (organization_id, source_id) REFERENCES knowledge_sources (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX knowledge_pieces_of_source ON knowledge_pieces (organization_id, source_id)`
  yield* isolate("knowledge_pieces")

  yield* sql`CREATE TABLE knowledge_questions (
    organization_id text NOT NULL,
    id text NOT NULL,
    knowledge_base_id text NOT NULL,
    question text NOT NULL,
    agent_id text NOT NULL,
    conversation_id text,
    created_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, knowledge_base_id) REFERENCES knowledge_bases (organization_id, id) ON DELETE CASCADE,
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX knowledge_questions_newest ON knowledge_questions (organization_id, knowledge_base_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX knowledge_questions_of_conversation ON knowledge_questions (organization_id, conversation_id)
    WHERE conversation_id IS NOT NULL`
  yield* sql`CREATE INDEX knowledge_questions_age ON knowledge_questions (organization_id, created_at)`
  yield* isolate("knowledge_questions")
})
