/**
 * Messages that POST /send accepts, with everything durable (PostgreSQL waits for its disk): with an empty queue, and with a million messages
 * queued before them. One process; the delivery runs beside.
 */
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Option, Redacted } from "effect"
import * as Config from "../src/Config.ts"
import { ApiKeys } from "../src/domain/Access.ts"
import { Organizations } from "../src/domain/Organization.ts"
import { freePort } from "../src/integrations/network/FreePort.ts"
import * as EmbeddedPostgres from "../src/integrations/postgres/EmbeddedPostgres.ts"
import { readPostmaster } from "../src/integrations/postgres/Postmaster.ts"
import { storage } from "../src/wiring/Storage.ts"
import { loadContacts, loadQueued, phoneOf } from "./support/Backlog.ts"
import { startEngine, usageOfAll } from "./support/Engine.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { sendAll } from "./support/Senders.ts"
import { summarize } from "./support/Statistics.ts"

const limits = { msPerSend: 1, p99: 100, slower: 1.15 }
const backlog = 1_000_000
/** Enough that nobody gets more than 20 messages an hour. */
const contacts = 20_000

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "parley-bench-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 3 }))
)

const noKey = Option.some(Redacted.make("none"))

/** A service in a process of its own over a durable PostgreSQL, with an organization, a key and 40,000 contacts. */
export const startDurable = Effect.gen(function* () {
  const dataDir = yield* folder
  const databaseUrl = yield* EmbeddedPostgres.start({ dataDir: join(dataDir, "postgres"), durable: true })
  const config = yield* Config.load
  const settings: Config.Settings = {
    ...config,
    // A service in production has them; nobody is asked here.
    sarvam: { ...config.sarvam, key: noKey },
    deepgram: { ...config.deepgram, key: noKey },
    elevenLabs: { ...config.elevenLabs, key: noKey },
    reasoning: { ...config.reasoning, key: noKey },
    moderation: { ...config.moderation, key: noKey },
    port: yield* Effect.promise(freePort),
    dataDir,
    databaseUrl: Option.some(databaseUrl),
    migrationDatabaseUrl: Option.none(),
    redisUrl: Option.none(),
    encryptionKeys: Option.some(Redacted.make(`bench:${randomBytes(32).toString("base64")}`)),
    publicBaseUrl: Option.some("https://bench.example.com"),
    engineSecret: Redacted.make(randomBytes(24).toString("base64")),
    requestsPerMinute: 0
  }
  const services = yield* Layer.build(storage(settings))
  const service = yield* startEngine(settings)
  const { organizationId, key } = yield* Effect.gen(function* () {
    const { id } = yield* (yield* Organizations).create({ name: "Bench", plan: "ENTERPRISE", timeZone: "UTC" })
    const { secret } = yield* (yield* ApiKeys).create({ organizationId: id, name: "bench" })
    yield* loadContacts(id, 2 * contacts)
    return { organizationId: id, key: secret }
  }).pipe(Effect.provide(services))
  const postmaster = yield* Effect.promise(() => readPostmaster(join(dataDir, "postgres", "cluster")))
  if (postmaster === undefined) return yield* Effect.die(new Error("the database has no process"))
  return { services, service, database: () => usageOfAll(postmaster), port: settings.port, organizationId, key }
})
type Started = Effect.Success<typeof startDurable>

/** One measured time of sending; `from` is the first contact written to. */
const measure = ({ port, key, service, database }: Started, senders: number, seconds: number, from: number) =>
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
      latency: summarize(accepted.map(({ ms }) => ms))
    }
  })
type Measured = Effect.Success<ReturnType<typeof measure>>

const row = (name: string, { accepted, refused, perSecond, cpuMsPerSend, databaseMsPerSend, latency }: Measured) => [
  name,
  accepted,
  refused,
  perSecond.toFixed(0),
  ...[latency.p50, latency.p90, latency.p99, latency.max, cpuMsPerSend, databaseMsPerSend].map((value) =>
    value.toFixed(2)
  )
]

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, { seconds: 20, calls: 32, ramp: 0 })
      const { seconds, calls: senders } = options
      const line = progress("sends")
      line.say("starting")
      const started = yield* startDurable
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
        { name: "p99, empty queue", value: empty.latency.p99, unit: "ms", most: limits.p99 },
        { name: "p99, a million queued", value: full.latency.p99, unit: "ms", most: limits.p99 },
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
            plots: [],
            limits: found,
            generator: first.invalid === null ? second : first,
            details: { empty, full }
          },
          options.json
        )
      )
    })
  )
