/** Evaluations of text agents: conversations that are played with an agent, and the runs of them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`CREATE TABLE evaluations (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    name text NOT NULL,
    tools jsonb NOT NULL,
    conversations jsonb NOT NULL,
    size integer NOT NULL,
    created_at timestamptz(3) NOT NULL,
    updated_at timestamptz(3) NOT NULL,
    PRIMARY KEY (organization_id, id)
  )`
  yield* sql`CREATE INDEX evaluations_newest ON evaluations (organization_id, created_at DESC, id DESC)`
  yield* isolate("evaluations")

  // "script": the agent, without what its tools ask, and what is played; it goes when the run has ended. "results": what came of it.
  yield* sql`CREATE TABLE evaluation_runs (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    id text NOT NULL,
    evaluation_id text NOT NULL,
    agent_id text NOT NULL,
    agent_name text NOT NULL,
    draft boolean NOT NULL,
    script jsonb,
    state text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
    problem text,
    total integer NOT NULL,
    done integer NOT NULL DEFAULT 0,
    passed integer NOT NULL DEFAULT 0,
    results jsonb,
    started_by text NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    PRIMARY KEY (organization_id, id),
    FOREIGN KEY (organization_id, evaluation_id) REFERENCES evaluations (organization_id, id) ON DELETE CASCADE
  )`
  yield* sql`CREATE INDEX evaluation_runs_newest ON evaluation_runs (organization_id, evaluation_id, created_at DESC, id DESC)`
  yield* sql`CREATE INDEX evaluation_runs_due ON evaluation_runs (due_at) WHERE due_at IS NOT NULL`
  yield* isolate("evaluation_runs")
  yield* openAcross("evaluation_runs", "due")
})
