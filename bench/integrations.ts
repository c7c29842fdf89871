/**
 * 100 organizations with integrations, of which one service answers everything with 429 and others are dead: 10,000 contacts in a minute over REST. How late
 * do the services that are well hear of them, and what do the requests cost while they are told? Then the app is killed in the middle of telling and started
 * again: is anything lost, or there twice?
 */
import { loadavg } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { type Changed, makeChanges } from "./apps/Changes.ts"
import { drained, judge, storedSince } from "./apps/Judge.ts"
import { isWell, setStage } from "./apps/Stage.ts"
import { decisive, watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { percentile, summarize } from "./support/Statistics.ts"

const limits = { delayP99Ms: 5_000, timesRest: 1.25 }
const warmUpSeconds = 5
/** How long requests are measured without integrations, before and after. */
const aloneSeconds = 20
const drainsWithinMs = 60_000
/** The app is killed in the middle; its claims end after two minutes, and are then taken up again. */
const killing = { seconds: 10, afterMs: 5_000, slowMs: 150, drainsWithinMs: 300_000 }

export const taken = {
  numbers: { calls: 100, rate: 167, seconds: 60 },
  means: { calls: "organizations", rate: "new contacts a second, in all organizations together" }
} as const

const both = (one: Changed["reads"], other: Changed["reads"]) => ({
  name: one.name,
  milliseconds: [...one.milliseconds, ...other.milliseconds],
  failures: [...one.failures, ...other.failures]
})

const p50 = ({ milliseconds }: Changed["reads"]) => percentile(milliseconds, 0.5)

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls: organizations, rate, seconds } = options
      const line = progress("integrations")
      const stage = yield* setStage(organizations, (text) => line.say(text))
      const { tenants, switchAll, hubspot, receiver, app, start } = stage
      const well = tenants.filter(({ kind }) => isWell(kind))
      const changes = makeChanges(stage)
      const load: Array<number> = []
      const measure = (what: string, which: typeof tenants, time: number) =>
        Effect.promise(async () => {
          line.say(what)
          load.push(loadavg()[0])
          const before = await app.usage()
          const found = await changes.run(which, rate, time)
          const after = await app.usage()
          const cpuSeconds = (after?.cpuSeconds ?? Number.NaN) - (before?.cpuSeconds ?? 0)
          return { ...found, cores: cpuSeconds / time }
        })

      yield* switchAll(tenants, "disable")
      yield* measure("warming up", tenants, warmUpSeconds)
      const stopFirst = watchGenerator()
      const before = yield* measure("without integrations", tenants, aloneSeconds)
      yield* switchAll(tenants, "enable")
      const during = yield* measure("with integrations", tenants, seconds)
      const generator = stopFirst()
      line.say("waiting until all are told")
      const left = yield* Effect.promise(() => drained(stage, well, drainsWithinMs))
      const told = judge(stage, during.made)
      yield* switchAll(tenants, "disable")
      const stopSecond = watchGenerator()
      const after = yield* measure("without integrations again", tenants, aloneSeconds)
      const second = stopSecond()

      yield* switchAll(well, "enable")
      const since = Date.now()
      hubspot.faults.latencyMs = killing.slowMs
      for (const { organizationId, kind } of well)
        if (kind === "webhook") receiver.behave(`/${organizationId}`, { kind: "slow", ms: killing.slowMs })
      line.say("killing the app while it tells")
      const [, underWay] = yield* Effect.promise(() =>
        Promise.all([
          changes.run(well, rate, killing.seconds),
          sleep(killing.afterMs).then(async () => {
            const now = await stage.database.query<{ claimed: number }>(
              "SELECT count(*)::int AS claimed FROM app_tasks WHERE due_at > now() AND claims > 0"
            )
            await app.kill()
            return now.rows[0].claimed
          })
        ])
      )
      hubspot.faults.latencyMs = 0
      for (const { organizationId } of well) receiver.behave(`/${organizationId}`, { kind: "answer", status: 200 })
      yield* start("again")
      line.say("waiting until the rest is told")
      const leftAfterKill = yield* Effect.promise(() => drained(stage, well, killing.drainsWithinMs))
      const stored = yield* Effect.promise(() => storedSince(stage, well, since))
      const survived = judge(stage, stored)
      line.done()

      const { hubspot: atHubSpot, webhook: atAddress } = told.delays
      const delays = [...atHubSpot, ...atAddress]
      const [writes, reads] = [both(before.writes, after.writes), both(before.reads, after.reads)]
      const failed = [before, during, after].flatMap((one) => [...one.writes.failures, ...one.reads.failures])
      const found: ReadonlyArray<Limit> = [
        {
          name: "delay of services that are well: p99",
          value: percentile(delays, 0.99),
          unit: "ms",
          most: limits.delayP99Ms
        },
        {
          name: "POST /contacts: p50, times that without integrations",
          value: p50(during.writes) / p50(writes),
          unit: "×",
          most: limits.timesRest
        },
        {
          name: "GET /contacts: p50, times that without integrations",
          value: p50(during.reads) / p50(reads),
          unit: "×",
          most: limits.timesRest
        },
        { name: "requests that failed", value: failed.length, unit: "", most: 0 },
        { name: "changes lost", value: told.lost + left, unit: "", most: 0 },
        { name: "changes doubled", value: told.doubled, unit: "", most: 0 },
        { name: "changes lost over the kill", value: survived.lost + leftAfterKill, unit: "", most: 0 },
        { name: "changes doubled over the kill", value: survived.doubled, unit: "", most: 0 },
        {
          name: "changes too few, of 10,000 in a minute",
          value: Math.max(0, (10_000 / 60) * seconds - during.made.length),
          unit: "",
          most: 0
        },
        { name: "kills that met nothing under way", value: underWay > 0 ? 0 : 1, unit: "", most: 0 }
      ]
      const row = (name: string, { milliseconds }: Pick<Changed["reads"], "milliseconds">) => {
        const { count, p50, p90, p99, max } = summarize(milliseconds)
        return [name, count, ...[p50, p90, p99, max].map((value) => value.toFixed(1))]
      }
      const columns = ["", "count", "p50 ms", "p90 ms", "p99 ms", "max ms"]
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "integrations",
            about: `${organizations} organizations make ${rate} contacts a second. Of ten, four have a HubSpot, three an address, one a service that answers 429, and two a dead one.`,
            options: { ...options, switches: undefined, words: undefined },
            tables: [
              {
                title: "From the answer of a change to when the service had it",
                columns,
                rows: [row("HubSpot", { milliseconds: atHubSpot }), row("an address", { milliseconds: atAddress })]
              },
              {
                title: "Requests",
                columns,
                rows: [
                  row("POST /contacts, without", writes),
                  row("POST /contacts, with", during.writes),
                  row("GET /contacts, without", reads),
                  row("GET /contacts, with", during.reads)
                ]
              },
              {
                title: "The run",
                columns: ["", "value"],
                rows: [
                  ["contacts made with integrations", during.made.length],
                  [
                    "cores of the app, without and with",
                    `${before.cores.toFixed(2)}, ${during.cores.toFixed(2)}, ${after.cores.toFixed(2)}`
                  ],
                  ["load of the machine as each part began", load.map((value) => value.toFixed(1)).join(", ")],
                  ["changes under way when the app was killed", underWay],
                  ["contacts stored over the kill", stored.length]
                ]
              }
            ],
            plots: [
              {
                _tag: "Histogram",
                title: "From the answer of a change to when the service had it",
                unit: "ms",
                values: delays,
                limit: limits.delayP99Ms
              } satisfies Plot
            ],
            limits: found,
            generator: decisive([generator, second]),
            details: { failed, underWay, left, leftAfterKill, load }
          },
          options.json
        )
      )
    })
  )
