/**
 * Sends the worst input of each kind that a stranger can send, beside calls that talk. Each kind has two windows: in one the attack goes to the
 * service, in the other, with the same load, to a server that takes bytes and understands nothing. So what the attack costs the machine is in both, and
 * the difference is what the service does with the bytes.
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { Agent, get } from "node:http"
import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { pinned } from "./crowd/Pinning.ts"
import { setStage } from "./crowd/Stage.ts"
import type { Tally } from "./crowd/Tally.ts"
import { type Attack, attacks } from "./hostile/Attacks.ts"
import type { Attacked, Order } from "./hostile/attacker.ts"
import { fuzz } from "./hostile/Fuzz.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { chosen, parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { percentile, summarize } from "./support/Statistics.ts"

const settleMs = 5_000
/** After a window: what the attack left behind is over. */
const pauseMs = 1_000
/** How long a service that an attack has stopped may take to answer again. */
const recoveryMs = 60_000
const probeEveryMs = 50
const bounds = { ratio: 1.2, healthMs: 50 }
/** A difference of less is not heard, and not told apart from the machine's. Milliseconds. */
const leastLateness = 1

/** What was seen while a kind of attack went to the service, or beside it. */
export interface Window {
  readonly lateness: ReadonlyArray<number>
  /** Milliseconds of each answer of `/healthz`; infinite without one. */
  readonly health: ReadonlyArray<number>
  /** Times a caller's play-out ran dry in the middle of a clause. */
  readonly pauses: number
  readonly attacked: Attacked
  /** The service answered in time again, within a minute. */
  readonly recovered: boolean
}
export interface Pair {
  readonly name: string
  readonly beside: Window
  readonly under: Window
}

const late = (windows: ReadonlyArray<Window>) => summarize(windows.flatMap(({ lateness }) => lateness))

export const limitsOf = (
  pairs: ReadonlyArray<Pair>,
  kinds: number,
  tally: Tally,
  missing: number
): ReadonlyArray<Limit> => [
  {
    name: "late p99 under attack, as a multiple of that beside it",
    value:
      late(pairs.map(({ under }) => under)).p99 / Math.max(leastLateness, late(pairs.map(({ beside }) => beside)).p99),
    unit: "",
    most: bounds.ratio
  },
  ...pairs.map(({ name, under }) => ({
    name: `/healthz p99: ${name}`,
    value: percentile(under.health, 0.99),
    unit: "ms",
    most: bounds.healthMs
  })),
  { name: "kinds that were not sent, because the service stood still", value: kinds - pairs.length, unit: "", most: 0 },
  { name: "calls missing", value: missing, unit: "", most: 0 },
  ...tally.limits()
]

/** Asks `/healthz` at an even pace, whether answers come or not. */
const watchHealth = (baseUrl: string) => {
  const agent = new Agent({ keepAlive: true })
  const times: Array<number> = []
  /** When each request began that has no answer yet. */
  const waiting = new Set<number>()
  const ask = () => {
    const began = performance.now()
    waiting.add(began)
    const over = (ms: number) => {
      if (waiting.delete(began)) times.push(ms)
    }
    const request = get(`${baseUrl}/healthz`, { agent, timeout: 10_000 }, (response) => {
      response.resume()
      response.once("end", () => over(performance.now() - began))
    })
    request.once("timeout", () => request.destroy(new Error("no answer")))
    request.once("error", () => over(Number.POSITIVE_INFINITY))
  }
  const asking = setInterval(ask, probeEveryMs)
  return {
    /** Those without an answer count with the time that they have waited. */
    take: () => [...times.splice(0), ...[...waiting].map((began) => performance.now() - began)],
    close: () => {
      clearInterval(asking)
      agent.destroy()
    }
  }
}

/** Waits until the service answers in time again, so that one kind does not answer for another. False when it does not. */
const answering = async (baseUrl: string): Promise<boolean> => {
  for (const began = performance.now(); performance.now() - began < recoveryMs; await sleep(200)) {
    const asked = performance.now()
    const answered = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(recoveryMs) }).then(
      ({ ok }) => ok,
      () => false
    )
    if (answered && performance.now() - asked < bounds.healthMs) return true
  }
  return false
}

/** A process of this bench's folder; ended with the scope. Gives the first thing it says, too. */
const helper = (file: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = fork(resolve(import.meta.dirname, "hostile", file))
      const [said] = (await once(child, "message")) as [unknown]
      return { child, said }
    }),
    ({ child }) => Effect.sync(() => void child.kill())
  )

export const taken = {
  numbers: { seconds: 3, calls: 50, ramp: 10 },
  switches: ["pin", "fuzz"],
  words: { shown: "[KIND…]", mean: "only the kinds whose names hold one of the words" },
  means: { seconds: "how long each window of a kind is" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls, seconds, ramp } = options
      const kinds = chosen(attacks, ({ name }) => name, options.words)
      const line = progress("hostile")
      if (options.switches.has("fuzz")) return yield* fuzz(line, options.json)
      line.say("starting")
      const stage = yield* setStage({
        calls,
        maxCalls: calls * 2 + 20,
        engineCpu: pinned(options.switches.has("pin")),
        together: true,
        settings: { trustedProxies: ["127.0.0.1"], requestsPerMinute: 600 }
      })
      const { crowd, tally, baseUrl } = stage
      const attacker = yield* helper("attacker.ts")
      const sink = yield* helper("sink-server.ts")
      const health = watchHealth(baseUrl)
      yield* Effect.addFinalizer(() => Effect.sync(health.close))

      const own = Number(new URL(baseUrl).port)
      const window = async ({ name }: Attack, port: number): Promise<Window> => {
        const before = tally.take()
        health.take()
        attacker.child.send({ attack: name, port, seconds } satisfies Order)
        const [attacked] = (await once(attacker.child, "message")) as [Attacked]
        const seen = { lateness: [...tally.times.lateness], pauses: tally.underruns, health: health.take(), attacked }
        // What came while nobody attacked has its errors counted, but not its times.
        tally.carry(before)
        await sleep(pauseMs)
        return { ...seen, recovered: port !== own || (await answering(baseUrl)) }
      }
      const { pairs, generator } = yield* Effect.promise(async () => {
        await crowd.grow(calls, ramp)
        await sleep(settleMs)
        const stopWatching = watchGenerator()
        const pairs: Array<Pair> = []
        for (const [index, kind] of kinds.entries()) {
          line.say(kind.name)
          // In turns: what comes second meets a warmer service.
          const first = await window(kind, index % 2 === 0 ? Number(sink.said) : own)
          const second = await window(kind, index % 2 === 0 ? own : Number(sink.said))
          const [beside, under] = index % 2 === 0 ? [first, second] : [second, first]
          pairs.push({ name: kind.name, beside, under })
          if (!under.recovered) break
        }
        return { pairs, generator: stopWatching() }
      })
      line.done()
      for (const note of tally.notes) console.error(note)
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "hostile",
            about: `${calls} calls that talk, and ${kinds.length} kinds of hostile input, ${seconds} s each.`,
            options: { ...options, switches: [...options.switches] },
            tables: [
              {
                title: "What callers and /healthz met (ms), beside the attack and under it",
                columns: [
                  "input",
                  "sent",
                  "answers",
                  "late p50 beside",
                  "under",
                  "p99 beside",
                  "under",
                  "max under",
                  "/healthz p99 beside",
                  "under"
                ],
                rows: pairs.map(({ name, beside, under }) => {
                  const [calm, hit] = [summarize(beside.lateness), summarize(under.lateness)]
                  const heard = [calm.p50, hit.p50, calm.p99, hit.p99, hit.max].map((ms) => ms.toFixed(1))
                  const health = [beside, under].map((one) => percentile(one.health, 0.99).toFixed(1))
                  const answers = Object.entries(under.attacked.answers).map(
                    ([status, count]) => `${count} × ${status}`
                  )
                  const sent = [under.attacked.connections, answers.join(", ")]
                  return [name, ...sent, ...heard, beside.pauses, under.pauses, ...health]
                })
              }
            ],
            plots: [
              {
                _tag: "Histogram",
                title: "Lateness of outgoing frames under attack",
                unit: "ms",
                values: pairs.flatMap(({ under }) => under.lateness)
              },
              {
                _tag: "Histogram",
                title: "/healthz under attack",
                unit: "ms",
                values: pairs.flatMap(({ under }) => under.health).filter(Number.isFinite)
              }
            ],
            limits: limitsOf(pairs, kinds.length, tally, Math.max(0, calls - crowd.live)),
            generator,
            details: { pairs }
          },
          options.json
        )
      )
    })
  )
