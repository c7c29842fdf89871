/**
 * Fills the database with past calls. In an empty database the planner has no statistics, and keeps plans made for a handful of rows for a while.
 */
import { Client } from "pg"

/** $1 the organization, $2 how many, $3 its agent. Triggers do the rest. */
const statements = [
  `INSERT INTO contacts (organization_id, id, phone, created_at)
    SELECT $1, 'cnt_' || lpad(to_hex(n), 26, '0'), '+1206' || (2000000 + n), now() - n * interval '1 minute' FROM generate_series(1, $2::int) n`,
  `INSERT INTO conversations (organization_id, id, contact_id, channel, status, created_at, updated_at)
    SELECT $1, 'cnv_' || lpad(to_hex(n), 26, '0'), 'cnt_' || lpad(to_hex(n), 26, '0'), 'voice', 'RESOLVED', now() - n * interval '1 minute',
      now() - n * interval '1 minute' FROM generate_series(1, $2::int) n`,
  `INSERT INTO calls (organization_id, id, agent_id, contact_id, conversation_id, direction, status, end_reason, from_address, to_address,
      call_sid, started_at, ended_at, duration_seconds, created_at)
    SELECT $1, 'call_' || lpad(to_hex(n), 26, '0'), $3, 'cnt_' || lpad(to_hex(n), 26, '0'), 'cnv_' || lpad(to_hex(n), 26, '0'), 'inbound',
      'completed', 'caller_hangup', '+1206' || (2000000 + n), '+12065550100', 'CA' || lpad(to_hex(n), 32, '0'), at, at + interval '50 seconds',
      50, at FROM (SELECT n, now() - n * interval '1 minute' AS at FROM generate_series(1, $2::int) n) made`,
  `INSERT INTO call_events (organization_id, id, call_id, type)
    SELECT $1, 'evt_' || t.type || lpad(to_hex(n), 26, '0'), 'call_' || lpad(to_hex(n), 26, '0'), t.type FROM generate_series(1, $2::int) n,
      unnest(ARRAY['call_started', 'transcript', 'call_end']) AS t (type)`,
  `INSERT INTO utterances (organization_id, id, call_id, sequence, role, text, interrupted, start_ms, end_ms)
    SELECT $1, 'utt_' || lpad(to_hex(n), 26, '0'), 'call_' || lpad(to_hex(n), 26, '0'), 1, 'agent', 'This is an AI speaking.', false, 0, 2000
    FROM generate_series(1, $2::int) n`,
  `INSERT INTO events (organization_id, id, type, data, created_at)
    SELECT $1, 'evt_' || lpad(to_hex(n), 26, '0'), 'call.ended', jsonb_build_object('call', jsonb_build_object('contactId',
      'cnt_' || lpad(to_hex(n), 26, '0'))), now() - n * interval '1 minute' FROM generate_series(1, $2::int) n`
]

/** `adminUrl` is a superuser's. */
export const makeHistory = async (
  adminUrl: string,
  agents: ReadonlyArray<{ readonly organizationId: string; readonly agentId: string }>,
  callsOfEach: number
): Promise<void> => {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    for (const { organizationId, agentId } of agents)
      for (const text of statements)
        await client.query(text, [organizationId, callsOfEach, ...(text.includes("$3") ? [agentId] : [])])
    await client.query("ANALYZE")
  } finally {
    await client.end()
  }
}
