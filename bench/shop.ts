/**
 * A service of online shops: how long lists take in an organization with a million orders, and how soon the webhooks of many stores are answered, each
 * stored durably before. What the webhooks tell is worked on meanwhile.
 */
import { loadavg } from "node:os"
import { Effect } from "effect"
import { Client } from "pg"
import { clientOf, type Kind, paced } from "./desk/OpenLoop.ts"
import { requestReport } from "./desk/RequestReport.ts"
import { listsOf } from "./shop/Lists.ts"
import { fillOrders } from "./shop/Orders.ts"
import { connectStores, postTo } from "./shop/Stores.ts"
import { startDurable } from "./support/Durable.ts"
import { decisive, watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"

const limits = { listP99Ms: 25, webhookP99Ms: 50 }
/** Requests for lists, for so many webhooks a second. */
const listShare = 0.2
/** Until then the service compiles its code beside its work. Seconds, or as long as is measured when that is less. */
const warmUp = { lists: 20, webhooks: 5 }

export const taken = {
  numbers: { orders: 1_000_000, calls: 100, rate: 1_000, seconds: 30 },
  means: {
    calls: "stores, each of an organization of its own",
    rate: "webhooks a second, of all stores together; a fifth of it for lists",
    seconds: "how long to measure lists, and webhooks"
  }
} as const

/** A client of the database that sees all organizations; it ends with the scope. */
const superuser = (connectionString: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** Of what the webhooks told: how much is stored, and how much of it was read already. */
const arrivals = (client: Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query<{ stored: number; read: number }>(
      "SELECT count(*)::int AS stored, (count(*) FILTER (WHERE status = 'done'))::int AS read FROM app_arrivals"
    )
    return rows[0]
  })

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { orders, calls, rate, seconds, json } = options
      const line = progress("shop")
      line.say("starting")
      const { services, service, database, port, organizationId, key, adminUrl } = yield* startDurable(0)
      const client = yield* superuser(adminUrl)
      yield* Effect.promise(() => fillOrders(client, { organizationId, orders }, (text) => line.say(text)))
      const usages = async () =>
        [await service.usage(), await database()].map((usage) => usage?.cpuSeconds ?? Number.NaN)
      /** A part of the run, and the cores that service and database take for it. */
      const measure = (what: string, kinds: ReadonlyArray<Kind>, perSecond: number, warmUpSeconds: number) =>
        Effect.promise(async () => {
          line.say(`${what}: warming up`)
          await paced(kinds, perSecond, Math.min(warmUpSeconds, seconds))
          line.say(what)
          const [load, before, stop] = [loadavg()[0], await usages(), watchGenerator()]
          const began = performance.now()
          const measured = await paced(kinds, perSecond, seconds)
          const took = (performance.now() - began) / 1_000
          const [generator, after] = [stop(), await usages()]
          const cores = after.map((used, n) => ((used - before[n]) / took).toFixed(2))
          return { measured, generator, row: [what, ...cores, load.toFixed(1)] }
        })

      const lists = listsOf(clientOf(`http://127.0.0.1:${port}`, key), orders)
      const listed = yield* measure("lists", lists, rate * listShare, warmUp.lists)
      const stores = yield* connectStores(calls).pipe(Effect.provide(services))
      let answered = 0
      const post = postTo(port, stores, () => answered++)
      const told = yield* measure("webhooks", [{ name: "a webhook of a store", send: post }], rate, warmUp.webhooks)
      const { stored, read } = yield* arrivals(client)
      line.done()

      const requests = requestReport({
        bench: "shop",
        about: `Lists among ${orders} orders at ${rate * listShare} a second, then ${rate} webhooks a second of ${calls} stores, each stored durably before its answer.`,
        options: { ...options, switches: undefined, words: undefined, texts: undefined },
        measured: [...listed.measured, ...told.measured],
        mostMs: limits.webhookP99Ms,
        generator: decisive([listed.generator, told.generator])
      })
      const names = new Set(lists.map(({ name }) => `${name}, p99`))
      return yield* Effect.promise(() =>
        publish(
          {
            ...requests,
            tables: [
              ...requests.tables,
              {
                title: "The run",
                columns: ["", "cores of the service", "cores of the database", "load of the machine as it began"],
                rows: [listed.row, told.row]
              },
              {
                title: "Webhooks, warming up too",
                columns: ["answered", "stored", "read meanwhile"],
                rows: [[answered, stored, read]]
              }
            ],
            limits: [
              ...requests.limits.map((limit) => (names.has(limit.name) ? { ...limit, most: limits.listP99Ms } : limit)),
              { name: "webhooks answered and not stored", value: answered - stored, unit: "", most: 0 }
            ]
          },
          json
        )
      )
    })
  )
