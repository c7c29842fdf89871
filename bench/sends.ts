/**
 * Messages that POST /send accepts, with everything durable (PostgreSQL waits for its disk): with an empty queue, and with a million messages
 * queued before them. One process; the delivery runs beside.
 */
import { Effect } from "effect"
import { sendRule } from "../src/domain/messaging/sending/SendMessage.ts"
import { loadQueued, phoneOf } from "./support/Backlog.ts"
import { type Durable, startDurable } from "./support/Durable.ts"
import { decisive, watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { sendAll } from "./support/Senders.ts"
import { percentile, summarize } from "./support/Statistics.ts"

const limits = { msPerSend: 1, p99: 100, slower: 1.15 }
const backlog = 1_000_000
/** Far more than one process accepts in a second. */
const mostPerSecond = 8_000
const warmSeconds = 5

/** How many are written to: enough that nobody gets more messages than a recipient may in an hour. As many others have the backlog. */
export const contactsFor = (seconds: number): number =>
  Math.max(20_000, Math.ceil((2 * (warmSeconds + seconds) * mostPerSecond) / sendRule.limit))

/** One measured time of sending; `next` gives the body of the next message. */
const measure = ({ port, key, service, database }: Durable, senders: number, seconds: number, next: () => string) =>
  Effect.promise(async () => {
    const used = async () =>
      (await Promise.all([service.usage(), database()])).map((usage) => usage?.cpuSeconds ?? Number.NaN)
    const before = await used()
    const { answers, seconds: took } = await sendAll({ port, key, senders, seconds }, next)
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

export const taken = {
  numbers: { seconds: 20, calls: 32 },
  means: {
    seconds: "how long to measure, with none queued and with a million",
    calls: "clients, each with one request at a time"
  }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { seconds, calls: senders } = options
      const line = progress("sends")
      line.say("starting")
      const contacts = contactsFor(seconds)
      const started = yield* startDurable(2 * contacts)
      let sent = 0
      // One after the other, over the whole run: everybody gets as many.
      const next = () => JSON.stringify({ to: phoneOf(sent % contacts), type: "text", text: `Message ${sent++}` })
      yield* measure(started, senders, warmSeconds, next)
      line.say("sending with an empty queue")
      const stopFirst = watchGenerator()
      const empty = yield* measure(started, senders, seconds, next)
      const first = stopFirst()
      line.say(`${empty.perSecond.toFixed(0)} a second; queueing`)
      yield* Effect.provide(
        loadQueued(started.organizationId, { first: contacts, contacts, count: backlog }, (loaded) =>
          line.say(`${loaded} queued`)
        ),
        started.services
      )
      line.say("sending with a million queued")
      yield* measure(started, senders, warmSeconds, next)
      const stopSecond = watchGenerator()
      const full = yield* measure(started, senders, seconds, next)
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
            generator: decisive([first, second]),
            details: { empty, full }
          },
          options.json
        )
      )
    })
  )
