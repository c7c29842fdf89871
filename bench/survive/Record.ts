/** Compares what is on record of the crowd's calls with what its callers said and heard. */
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "pg"
import type { Member } from "../crowd/Member.ts"
import { answerClause, clauses, question } from "../crowd/Words.ts"

/** The part of a caller that the record is compared with. */
export type Asked = Pick<Member, "caller" | "turns" | "interrupted">

/** One utterance on record. */
export interface Uttered {
  readonly role: "caller" | "agent"
  readonly text: string
}

export interface RecordErrors {
  /** Sentences that were said and are not on record, and those that are on it more often than they were said. */
  readonly lost: ReadonlyArray<string>
  readonly doubled: ReadonlyArray<string>
}

export interface CallsOnRecord {
  readonly uttered: ReadonlyArray<Uttered>
  /** Why calls ended that their callers did not end. */
  readonly ends: ReadonlyArray<{ readonly reason: string; readonly calls: number }>
}

/** The ends of all calls are on record so soon after the last hang-up, or missed. Milliseconds. */
const endedWithinMs = 30_000

const ended = async (client: Client): Promise<void> => {
  for (const until = performance.now() + endedWithinMs; performance.now() < until; await sleep(500)) {
    const { rows } = await client.query("SELECT 1 FROM calls WHERE end_reason IS NULL LIMIT 1")
    if (rows.length === 0) return
  }
}

/** All calls, once they have ended. Read by the administrator, whom row-level security does not bind. */
export const readCalls = async (databaseUrl: string): Promise<CallsOnRecord> => {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await ended(client)
    const { rows: uttered } = await client.query<Uttered>("SELECT role, text FROM utterances")
    const { rows: ends } = await client.query<{ readonly reason: string; readonly calls: number }>(
      `SELECT coalesce(end_reason, 'no end on record') AS reason, count(*)::int AS calls FROM calls
        WHERE end_reason IS DISTINCT FROM 'caller_hangup' GROUP BY end_reason ORDER BY calls DESC`
    )
    return { uttered, ends }
  } finally {
    await client.end()
  }
}

const timesIn = (text: string, sentence: string): number => text.split(sentence).length - 1

/** All that a caller asked and was answered before its last turn, in which it hung up. What it interrupted may be missing. */
export const compareRecord = (callers: ReadonlyArray<Asked>, uttered: ReadonlyArray<Uttered>): RecordErrors => {
  const textOf = (role: Uttered["role"]) =>
    uttered
      .filter((one) => one.role === role)
      .map(({ text }) => text)
      .join("\n")
  const [asked, answered] = [textOf("caller"), textOf("agent")]
  const [lost, doubled]: [Array<string>, Array<string>] = [[], []]
  const look = (all: string, sentence: string, least: number) => {
    const times = timesIn(all, sentence)
    if (times < least) lost.push(sentence)
    if (times > 1) doubled.push(sentence)
  }
  for (const { caller, turns, interrupted } of callers)
    for (let turn = 1; turn < turns; turn++) {
      look(asked, question({ caller, turn }), 1)
      for (let clause = 1; clause <= clauses; clause++)
        look(answered, answerClause({ caller, turn }, clause), interrupted.has(turn) ? 0 : 1)
    }
  return { lost, doubled }
}
