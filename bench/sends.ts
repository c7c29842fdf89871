/**
 * Messages that POST /send accepts, with everything durable (PostgreSQL waits for its disk): with an empty queue, and with a million messages
 * queued before them. One process; the delivery runs beside.
 */
import { Effect } from "effect"
import { loadQueued, phoneOf } from "./support/Backlog.ts"
import { type Durable, startDurable } from "./support/Durable.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { sendAll } from "./support/Senders.ts"
import { percentile, summarize } from "./support/Statistics.ts"

const limits = { msPerSend: 1, p99: 100, slower: 1.15 }
const backlog = 1_000_000
/** Those written to; enough that nobody gets more than 20 messages an hour. As many others have the backlog. */
const contacts = 20_000

/** One measured time of sending; `from` is the first contact written to. */
const measure = ({ port, key, service, database }: Durable, senders: number, seconds: number, from: number) =>
  Effect.promise(async () => {
    const used = async () =>
      (await Promise.all([service.usage(), database()])).map((usage) => usage?.cpuSeconds ?? Number.NaN)
    const before = await used()
    const { answers, seconds: took } = await sendAll({ port, key, senders, seconds }, (index) =>
      JSON.stringify({ to: phoneOf((from + index) % contacts), type: "text", text: `Message ${index}` })
    )
    const after = await used()
    const accepted = answers.filter(({ status }) => status === 200)
    const [cpuMsPerSend, databaseMsPerSend] = after.map(
      (seconds, i) => ((seconds - before[i]) * 1_000) / accepted.length
    )
    return {
      accepted: accepted.length,
      refused: answers.length - accepted.length,
      perSecond: accepted.length / took,
      msPerSend: (took * 1_000) / accepted.length,
      cpuMsPerSend,
      databaseMsPerSend,
      milliseconds: accepted.map(({ ms }) => ms)
    }
  })
type Measured = Effect.Success<ReturnType<typeof measure>>

const p99Of = ({ milliseconds }: Measured): number => percentile(milliseconds, 0.99)

const row = (name: string, measured: Measured) => {
  const { accepted, refused, perSecond, cpuMsPerSend, databaseMsPerSend, milliseconds } = measured
  const { p50, p90, p99, max } = summarize(milliseconds)
  const figures = [p50, p90, p99, max, cpuMsPerSend, databaseMsPerSend].map((value) => value.toFixed(2))
  return [name, accepted, refused, perSecond.toFixed(0), ...figures]
}

const plotOf = (queue: string, { milliseconds }: Measured): Plot => ({
  _tag: "Histogram",
  title: `From the request to its answer, ${queue}`,
  unit: "ms",
  values: milliseconds,
  limit: limits.p99
})

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, { numbers: { seconds: 20, calls: 32 } })
      const { seconds, calls: senders } = options
      const line = progress("sends")
      line.say("starting")
      const started = yield* startDurable(2 * contacts)
      const send = (from: number) => measure(started, senders, seconds, from)
      yield* measure(started, senders, 5, 0)
      line.say("sending with an empty queue")
      const stopFirst = watchGenerator()
      const empty = yield* send(5_000)
      const first = stopFirst()
      line.say(`${empty.perSecond.toFixed(0)} a second; queueing`)
      yield* Effect.provide(
        loadQueued(started.organizationId, { first: contacts, contacts, count: backlog }, (loaded) =>
          line.say(`${loaded} queued`)
        ),
        started.services
      )
      line.say("sending with a million queued")
      yield* measure(started, senders, 5, 10_000)
      const stopSecond = watchGenerator()
      const full = yield* send(12_000)
      const second = stopSecond()
      line.done()
      const found: ReadonlyArray<Limit> = [
        {
          name: "milliseconds per accepted send, empty queue",
          value: empty.msPerSend,
          unit: "ms",
          most: limits.msPerSend
        },
        {
          name: "milliseconds per accepted send, a million queued",
          value: full.msPerSend,
          unit: "ms",
          most: limits.msPerSend
        },
        { name: "p99, empty queue", value: p99Of(empty), unit: "ms", most: limits.p99 },
        { name: "p99, a million queued", value: p99Of(full), unit: "ms", most: limits.p99 },
        {
          name: "processor time per send with a million queued, to that with none",
          value: full.cpuMsPerSend / empty.cpuMsPerSend,
          unit: "times",
          most: limits.slower
        },
        { name: "sends that were not accepted", value: empty.refused + full.refused, unit: "", most: 0 }
      ]
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "sends",
            about: "Messages accepted by POST /send on one process, each stored durably before it is answered.",
            options: { seconds, senders, contacts, backlog },
            tables: [
              {
                title: "Accepted sends",
                columns: [
                  "queue",
                  "accepted",
                  "refused",
                  "per second",
                  "p50 ms",
                  "p90 ms",
                  "p99 ms",
                  "max ms",
                  "CPU ms each",
                  "database's CPU ms each"
                ],
                rows: [row("empty", empty), row("a million", full)]
              }
            ],
            plots: [
              plotOf("empty queue", empty),
              plotOf("a million queued", full),
              {
                _tag: "Bars",
                title: "Processor time of a send",
                unit: "ms",
                bars: [
                  ["service, empty queue", empty.cpuMsPerSend],
                  ["service, a million queued", full.cpuMsPerSend],
                  ["database, empty queue", empty.databaseMsPerSend],
                  ["database, a million queued", full.databaseMsPerSend]
                ]
              }
            ],
            limits: found,
            generator: first.invalid === null ? second : first,
            details: { empty, full }
          },
          options.json
        )
      )
    })
  )
