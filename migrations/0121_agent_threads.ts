/** What text agents know of the conversations that they answer, what their tools gave, and what their models cost. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { isolate, openAcross } from "./isolate.ts"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A row is changed only by those who hold the conversation. `domain/messaging/agents/AgentThread.ts` tells what the columns mean.
  yield* sql`CREATE TABLE agent_threads (
    organization_id text NOT NULL,
    conversation_id text NOT NULL,
    agent_id text,
    routed boolean NOT NULL,
    silent boolean NOT NULL,
    version bigint NOT NULL,
    received bigint NOT NULL,
    answered bigint NOT NULL,
    waiting_since timestamptz(3),
    due_at timestamptz(3),
    failures integer NOT NULL,
    disclosed boolean NOT NULL,
    remind_at timestamptz(3),
    reminder text,
    summary text,
    summarized_until timestamptz(3),
    PRIMARY KEY (organization_id, conversation_id),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE,
    CHECK (answered <= received)
  )`
  yield* sql`CREATE INDEX agent_threads_due ON agent_threads (due_at) WHERE due_at IS NOT NULL`
  yield* isolate("agent_threads")
  // For the sweep that looks for turns that nobody began.
  yield* openAcross("agent_threads", "due")

  // A tool that a turn has run. The turn finds its result again after a crash; without a result it is not known whether the tool did its work.
  yield* sql`CREATE TABLE agent_tool_runs (
    organization_id text NOT NULL,
    conversation_id text NOT NULL,
    turn_id text NOT NULL,
    key text NOT NULL,
    position integer NOT NULL,
    agent_id text NOT NULL,
    name text NOT NULL,
    arguments text NOT NULL,
    outcome text CHECK (outcome IN ('ok', 'error')),
    result text,
    started_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    PRIMARY KEY (organization_id, conversation_id, turn_id, key),
    FOREIGN KEY (organization_id, conversation_id) REFERENCES conversations (organization_id, id) ON DELETE CASCADE,
    CHECK ((outcome IS NULL) = (result IS NULL))
  )`
  yield* isolate("agent_tool_runs")

  // The month (`2026-11`) in which the organization was told that its tokens are used.
  yield* sql`ALTER TABLE organizations ADD COLUMN ai_allowance_told text`

  // Tokens of language models by day in the organization's time zone. No foreign key: the numbers stay when an agent is removed.
  yield* sql`CREATE TABLE ai_usage (
    organization_id text NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
    day date NOT NULL,
    agent_id text NOT NULL,
    model text NOT NULL,
    requests bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    PRIMARY KEY (organization_id, day, agent_id, model)
  )`
  yield* isolate("ai_usage")
})
