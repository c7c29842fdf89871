/**
 * Kills an engine every 20 seconds while many callers talk, whose sound is in processes of its own; with `--deploy` has the engines replaced instead. No
 * stream may be closed, no word lost or heard twice, no answer repeated, no tool run twice, and during a deployment no request refused. It prints how
 * soon another engine had the calls, and how long callers waited.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { type SteadyRequests, steadyRequests } from "../test/support/steadyRequests.ts"
import { type Stage, setStage } from "./crowd/Stage.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"
import { compareRecord, type RecordErrors, readCalls } from "./survive/Record.ts"
import { type TakeOvers, takeOversOf } from "./survive/TakeOvers.ts"

const settleMs = 8_000
const killEveryMs = 20_000
/** A caller waits at least so long for an answer: it is told how long the wait was, not that there was no answer. */
const patienceMs = 30_000
/** From a kill until another engine has a call, at p99: with one that has begun or a spare, and with one that has to be started. */
const takenOverWithinMs = { waiting: 2_000, started: 4_000 }

/** Kills one engine after the other until the time is over; gives when. */
const killing = async ({ engine }: Stage, seconds: number, say: (text: string) => void) => {
  const kills: Array<number> = []
  for (const until = performance.now() + seconds * 1_000; performance.now() + killEveryMs <= until; ) {
    const engines = await engine.engines()
    process.kill(engines[kills.length % engines.length], "SIGKILL")
    kills.push(performance.now())
    say(`${kills.length} engines were killed`)
    await sleep(killEveryMs)
  }
  return kills
}

/** Has the engines replaced again and again until the time is over; gives when each left its calls. */
const deploying = async ({ engine }: Stage, seconds: number, say: (text: string) => void) => {
  const left: Array<number> = []
  let times = 0
  for (const until = performance.now() + seconds * 1_000; performance.now() + killEveryMs <= until; ) {
    const next = performance.now() + killEveryMs
    left.push(...(await engine.reload()))
    say(`the engines were replaced ${++times} times`)
    await sleep(Math.max(settleMs, next - performance.now()))
  }
  return left
}

interface Survived {
  readonly closed: number
  readonly refused: number
  /** Frames of speech, on either side. */
  readonly framesLost: number
  readonly framesDoubled: number
  /** Times that the agent went on with an answer when the next question had been asked. */
  readonly stale: number
  readonly unanswered: number
  readonly repeatedClauses: number
  readonly record: RecordErrors
  readonly toolsTwice: number
  readonly takeOvers: ReadonlyArray<TakeOvers>
  readonly longestWaitMs: number
  /** What a client met that asked all the time; nobody did while engines were killed. */
  readonly requests?: SteadyRequests | undefined
}

const sumOf = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0)

/** `waiting`: an engine that has begun, or a spare, is there when one is killed. */
export const limitsOf = (
  found: Omit<Survived, "longestWaitMs">,
  { waiting }: { readonly waiting: boolean }
): ReadonlyArray<Limit> => {
  const none = (name: string, value: number): Limit => ({ name, value, unit: "", most: 0 })
  const { takeOvers, record, requests } = found
  const missing = sumOf(takeOvers.map(({ calls, ms }) => calls - ms.length))
  return [
    none("streams closed", found.closed),
    none("calls refused", found.refused),
    none("frames of speech lost", found.framesLost),
    none("frames of speech doubled", found.framesDoubled),
    none("answers that went on after the next question", found.stale),
    none("sentences missing on record", record.lost.length),
    none("sentences twice on record", record.doubled.length),
    none("questions without an answer", found.unanswered),
    none("answers repeated", found.repeatedClauses),
    none("tools run twice", found.toolsTwice),
    none("calls that no engine took over", missing),
    ...(requests === undefined ? [] : [none("requests refused", requests.refused.length)]),
    {
      name: "taken over, p99",
      value: summarize(takeOvers.flatMap(({ ms }) => ms)).p99,
      unit: "ms",
      most: waiting ? takenOverWithinMs.waiting : takenOverWithinMs.started
    }
  ]
}

const requestsTable = ({ answered, refused, slowestMs }: SteadyRequests) => ({
  title: "A client that asked every 20 ms",
  columns: ["answered", "refused", "slowest ms"],
  rows: [[answered, refused.length, slowestMs.toFixed(0)]]
})

export const taken = {
  numbers: { seconds: 300, calls: 100, ramp: 10, workers: 1 },
  switches: ["together", "no-spare", "deploy"],
  means: {
    seconds: "how long engines are killed, one every 20 s",
    together: "app and engine in one process, so that the app dies, too; always with more workers than one"
  }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls, seconds, ramp, workers, switches } = options
      const spareEngine = workers === 1 && !switches.has("no-spare")
      const deploys = switches.has("deploy")
      const what = deploys ? "time that an engine left its calls" : "kill"
      const line = progress("survive")
      line.say("starting")
      const stage = yield* setStage({
        ...{ calls, maxCalls: calls * 2 + 20, workers, together: switches.has("together") },
        ...{
          sound: "process" as const,
          spareEngine,
          tools: true,
          company: { patienceMs },
          settings: { allowPrivateTools: true }
        }
      })
      const { crowd, tally, database } = stage
      const { found, generator, notes, ends } = yield* Effect.promise(async () => {
        await crowd.grow(calls, ramp)
        await sleep(settleMs)
        const stopWatching = watchGenerator()
        const asked = deploys ? steadyRequests(`${stage.engineUrl}/healthz`) : undefined
        const kills = await (deploys ? deploying : killing)(stage, seconds, (text) => line.say(text))
        const requests = await asked?.()
        const generator = stopWatching()
        const over = performance.now()
        const takeOvers = kills.map((at, index) => takeOversOf(tally.streams, at, kills[index + 1] ?? over))
        // A call that was closed is counted as such; of the others the record must be whole.
        const callers = crowd.members.map(({ caller, turns, interrupted }) => ({ caller, turns, interrupted }))
        const { failed: closed, refused, repeatedClauses, notes } = tally
        const { lost, repeated, unreadable, stale, crossed, unanswered } = tally.errors
        await crowd.empty()
        line.say("reading the record")
        const { uttered, ends } = await readCalls(database.url)
        const record = compareRecord(callers, uttered)
        const found: Survived = {
          ...{ closed, refused, unanswered, repeatedClauses, record, takeOvers, requests },
          framesLost: lost,
          framesDoubled: repeated + unreadable + crossed,
          stale,
          toolsTwice: [...tally.tools.values()].filter((keys) => keys.length > 1).length,
          longestWaitMs: summarize(tally.times.waits).max
        }
        return { found, generator, notes, ends }
      })
      line.done()
      for (const refusal of new Set(found.requests?.refused)) console.error(`refused: ${refusal}`)
      for (const note of notes.slice(0, 20)) console.error(note)
      for (const { reason, calls } of ends)
        console.error(`${calls} calls ended otherwise than by their callers: ${reason}`)
      for (const sentence of found.record.lost.slice(0, 10)) console.error(`not on record: ${sentence}`)
      for (const sentence of found.record.doubled.slice(0, 10)) console.error(`twice on record: ${sentence}`)
      const { takeOvers } = found
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "survive",
            about: `${calls} talking calls; ${deploys ? "all engines were replaced" : "an engine was killed"} every ${killEveryMs / 1_000} s for ${seconds} s, ${workers > 1 ? `${deploys ? "" : "one of "}${workers}` : spareEngine ? "beside a spare" : "alone"}.`,
            options: { ...options, switches: [...switches] },
            tables: [
              {
                title: `From each ${what} until speech-to-text heard the calls again`,
                columns: ["no.", "calls", "taken over", "p50 ms", "p99", "max"],
                rows: takeOvers.map(({ calls, ms }, index) => {
                  const { p50, p99, max } = summarize(ms)
                  return [`${index + 1}`, calls, ms.length, ...[p50, p99, max].map((value) => value.toFixed(0))]
                })
              },
              {
                title: "What callers met",
                columns: ["turns", "interruptions", "tools", "waits p50 ms", "p99", "longest", "underruns"],
                rows: [
                  [
                    ...[tally.turns, tally.interruptions, tally.tools.size],
                    ...[
                      summarize(tally.times.waits).p50,
                      summarize(tally.times.waits).p99,
                      summarize(tally.times.waits).max
                    ].map((ms) => ms.toFixed(0)),
                    tally.underruns
                  ]
                ]
              },
              ...(found.requests === undefined ? [] : [requestsTable(found.requests)])
            ],
            plots: [
              { _tag: "Histogram", title: "Waits for an answer", unit: "ms", values: tally.times.waits },
              {
                _tag: "Histogram",
                title: `From a ${what} to the take-over`,
                unit: "ms",
                values: takeOvers.flatMap(({ ms }) => ms)
              }
            ],
            limits: limitsOf(found, { waiting: spareEngine || workers > 1 }),
            generator,
            details: { found, notes, ends }
          },
          options.json
        )
      )
    })
  )
