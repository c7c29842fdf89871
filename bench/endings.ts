/**
 * Plays many short calls that end in every way, also with workers that are killed, and asks the database whether each call has its end on record: one,
 * soon, with what was said before it.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { Client } from "pg"
import { Pacer } from "./crowd/Pacer.ts"
import { type Ending, endings, type Played, playShortCall } from "./crowd/ShortCall.ts"
import { SignedPosts } from "./crowd/SignedPosts.ts"
import { type Stage, setStage } from "./crowd/Stage.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { OptionsInvalid, parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"

const atOnce = 100
/** The longest stay of a caller. An agent that hears nobody says goodbye and hangs up before `agentMs`. Milliseconds. */
const [staysMs, agentMs] = [8_000, 20_000]
/** A call's end is looked for so long after the call; that of one whose stream never came, once its reservation has expired (20 s), too. */
const onRecordWithinMs = 20_000
const reservedMs = 20_000
const limitOf = (ending: Ending) => onRecordWithinMs + (ending === "no stream" ? reservedMs : 0)
const killEveryMs = 15_000
/** Who has heard the agent for so long has heard words of it. */
const wordsMs = 1_500

/** A call as the database has it. */
interface Stored {
  readonly callSid: string
  readonly over: boolean
  readonly ends: number
  readonly told: number
  readonly utterances: number
}

/** The calls of all organizations, by the provider's id. Read by the administrator, whom row-level security does not bind. */
const readCalls = async (client: Client): Promise<ReadonlyMap<string, Stored>> => {
  const { rows } = await client.query<Stored>(`SELECT k.call_sid AS "callSid",
    k.status IN ('completed', 'busy', 'no_answer', 'failed', 'canceled') AND k.ended_at IS NOT NULL
      AND k.end_reason IS NOT NULL AS over,
    (SELECT count(*)::int FROM call_events e WHERE e.organization_id = k.organization_id AND e.call_id = k.id AND e.type = 'call_end') AS ends,
    (SELECT count(*)::int FROM events v WHERE v.organization_id = k.organization_id AND v.type = 'call.ended'
      AND v.data -> 'call' ->> 'id' = k.id) AS told,
    (SELECT count(*)::int FROM utterances u WHERE u.organization_id = k.organization_id AND u.call_id = k.id) AS utterances
    FROM calls k WHERE k.call_sid IS NOT NULL`)
  return new Map(rows.map((row) => [row.callSid, row]))
}

/** Kills one worker after the other until it is stopped; gives how many. */
const killing = ({ app }: Stage) => {
  let [killed, stopped] = [0, false]
  const loop = async () => {
    while (!stopped) {
      await sleep(killEveryMs)
      const workers = await app.workers()
      if (stopped || workers.length < 2) continue
      process.kill(workers[killed % workers.length], "SIGKILL")
      killed++
    }
  }
  const over = loop()
  return async () => {
    stopped = true
    await over
    return killed
  }
}

export interface Judged extends Played {
  /** From the end of the call until its end was on record; undefined when it never was. */
  readonly recordedMs: number | undefined
  readonly stored: Stored | undefined
}

/** What is wrong with a call; nothing when all is as it should be. */
export const wrongWith = ({ taken, heardMs, recordedMs, stored }: Judged, killed: boolean): ReadonlyArray<string> => {
  // A webhook that nobody answered may have left no record.
  if (stored === undefined) return taken ? ["there is no record"] : []
  if (recordedMs === undefined) return ["its end is not on record"]
  const { ends, told, utterances } = stored
  return [
    ...(ends > 1 ? [`it ended ${ends} times`] : []),
    // The reservation of a call whose stream never came may have died with its process: then the provider tells the end.
    ...(ends === 0 && taken && heardMs > 0 ? ["no engine ended it"] : []),
    ...(told === 1 ? [] : [`call.ended was told ${told} times`]),
    // What a killed worker had not written is lost.
    ...(heardMs > wordsMs && utterances === 0 && !killed ? ["nothing that was said is on record"] : [])
  ]
}

export const taken = {
  numbers: { calls: 1_000, workers: 1 },
  switches: ["kill"],
  means: { calls: `how many calls, ${atOnce} of them at once` }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls, workers, switches } = options
      const kill = switches.has("kill")
      if (kill && workers < 2) throw new OptionsInvalid("--kill needs --workers 2 or more")
      const line = progress("endings")
      line.say("starting")
      const stage = yield* setStage({
        calls: atOnce,
        maxCalls: atOnce * 2 + 20,
        workers,
        agent: {
          silence: { promptAfterSeconds: 2, maxPrompts: 0, promptText: "Hello?", goodbyeText: "Goodbye then." }
        },
        company: { interruptEvery: 2 }
      })
      const { judged, killed, generator } = yield* Effect.promise(async () => {
        const [pacer, posts] = [new Pacer(), new SignedPosts()]
        const client = new Client({ connectionString: stage.database.url })
        await client.connect()
        const stopKilling = kill ? killing(stage) : async () => 0
        const stopWatching = watchGenerator()
        const played: Array<Played> = []
        let next = 0
        const play = async () => {
          while (next < calls) {
            const nth = next++
            const ending: Ending = endings[nth % endings.length]
            // An agent hangs up on those who say nothing. Some of these hang up while it says goodbye.
            const silent = ending === "agent" || nth % 5 === 0
            const stays = ending === "agent" ? agentMs : Math.random() * staysMs
            const company = silent ? { ...stage.company, talks: false } : stage.company
            const destination = stage.organizations[nth % stage.organizations.length]
            const caller = nth + 1
            played.push(
              await playShortCall({
                ...{ baseUrl: stage.baseUrl, destination, ending, staysMs: stays },
                ...{ caller, company, pacer, posts }
              })
            )
          }
        }
        const recordedAt = new Map<string, number>()
        let stored: ReadonlyMap<string, Stored> = new Map()
        const look = async () => {
          stored = await readCalls(client)
          const now = performance.now()
          for (const { callSid, over } of stored.values())
            if (over && !recordedAt.has(callSid)) recordedAt.set(callSid, now)
        }
        let playing = true
        const looking = (async () => {
          while (playing) {
            await look()
            line.say(`${played.length} of ${calls} calls are over, ${recordedAt.size} ends on record`)
            await sleep(500)
          }
        })()
        await Promise.all(Array.from({ length: atOnce }, play))
        const generator = stopWatching()
        const killed = await stopKilling()
        const missing = () => played.filter(({ callSid, taken }) => taken && !recordedAt.has(callSid))
        for (
          const until = performance.now() + limitOf("no stream");
          missing().length > 0 && performance.now() < until;
        )
          await sleep(500)
        playing = false
        await looking
        // An end that came twice would have come by now.
        await sleep(2_000)
        await look()
        await client.end()
        pacer.close()
        posts.close()
        const judged = played.map((one): Judged => {
          const at = recordedAt.get(one.callSid)
          const after = at === undefined ? undefined : Math.max(0, at - one.overAt)
          const late = after !== undefined && after > limitOf(one.ending)
          return { ...one, recordedMs: late ? undefined : after, stored: stored.get(one.callSid) }
        })
        return { judged, killed, generator }
      })
      line.done()
      const wrong = judged.flatMap((one) => wrongWith(one, kill).map((what) => ({ ...one, what })))
      for (const { callSid, ending, what, heardMs, closedByService } of wrong.slice(0, 20))
        console.error(
          `${callSid} (${ending}, heard ${Math.round(heardMs)} ms${closedByService ? ", closed" : ""}): ${what}`
        )
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "endings",
            about: `${calls} short calls, ${atOnce} at once, ended in ${endings.length} ways${kill ? `; ${killed} workers were killed` : ""}.`,
            options: { ...options, switches: [...switches] },
            tables: [
              {
                title: "From the end of a call until it was on record",
                columns: ["ending", "calls", "not taken", "closed by the service", "p50 ms", "p99", "max", "wrong"],
                rows: endings.map((ending) => {
                  const own = judged.filter((one) => one.ending === ending)
                  const { p50, p99, max } = summarize(own.flatMap(({ recordedMs }) => recordedMs ?? []))
                  return [
                    ending,
                    own.length,
                    own.filter((one) => !one.taken).length,
                    own.filter((one) => one.closedByService).length,
                    ...[p50, p99, max].map((ms) => ms.toFixed(0)),
                    wrong.filter((one) => one.ending === ending).length
                  ]
                })
              }
            ],
            plots: [],
            limits: [
              {
                name: "calls with something wrong",
                value: new Set(wrong.map(({ callSid }) => callSid)).size,
                unit: "",
                most: 0
              },
              ...(kill
                ? []
                : [
                    {
                      name: "calls that were not taken",
                      value: judged.filter((one) => !one.taken).length,
                      unit: "",
                      most: 0
                    }
                  ])
            ],
            generator,
            details: { judged }
          },
          options.json
        )
      )
    })
  )
