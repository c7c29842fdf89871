/** What requests cost in Parley, beside a server of Fastify and `pg` that does the same by hand: same database, same role, in one run. */
import { Effect, Redacted } from "effect"
import { freePort } from "../src/integrations/network/FreePort.ts"
import { serviceUrl } from "../src/integrations/postgres/ServiceRole.ts"
import { conversationsOf, phoneOf } from "./desk/Bulk.ts"
import { parseFigures } from "./desk/Figures.ts"
import { clientOf, type Kind, type Measured, paced } from "./desk/OpenLoop.ts"
import { startReference } from "./desk/Reference.ts"
import { setDesk } from "./desk/Stage.ts"
import type { Engine } from "./support/Engine.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"

const warmUpSeconds = 15
const api = "/api/messaging-api"

interface Found extends Measured {
  readonly cpuPerRequestMs: number
}

type Watched = Pick<Engine, "read">
/** Processor time since it began, ms. */
const cpuMs = async (server: Watched) => (await server.read()).cpuSeconds * 1_000

type Ask = (path: string, body?: unknown) => Promise<unknown>

/** No recipient gets more than one message, and no number is made twice: each server has numbers of its own. */
const kindsOf = (
  ask: Ask,
  which: 0 | 1,
  options: { readonly contacts: number; readonly messages: number }
): ReadonlyArray<Kind> => {
  let [made, sent] = [0, 0]
  const half = Math.floor(conversationsOf(options) / 2)
  /** Conversations that are open, so that both servers find one: of each ten the first two are. */
  const recipient = (n: number) =>
    phoneOf(which * Math.floor(half / 10) * 10 + 10 * (1 + (n % Math.max(1, Math.floor(half / 10) - 1))))
  return [
    { name: "contacts, list", send: async (n) => void (await ask(`${api}/contacts?page=${1 + (n % 20)}`)) },
    {
      name: "contacts, create",
      send: async () =>
        void (await ask(`${api}/contacts`, {
          phone: `+44742${which}${String(made++).padStart(6, "0")}`,
          name: "Asha Rao",
          tags: ["new"]
        }))
    },
    { name: "chats, list", send: async (n) => void (await ask(`${api}/chats?page=${1 + (n % 20)}`)) },
    {
      name: "send",
      send: async () =>
        void (await ask(`${api}/send`, { to: recipient(sent++), type: "text", text: "Your order is on its way." }))
    }
  ]
}

/** Each kind on its own, so that the processor time of a server is that of the kind. */
const measure = async (
  server: Watched,
  kinds: ReadonlyArray<Kind>,
  rate: number,
  seconds: number
): Promise<ReadonlyArray<Found>> => {
  const found: Array<Found> = []
  for (const kind of kinds) {
    await paced([kind], rate, warmUpSeconds)
    const before = await cpuMs(server)
    const [measured] = await paced([kind], rate, seconds)
    found.push({ ...measured, cpuPerRequestMs: ((await cpuMs(server)) - before) / measured.milliseconds.length })
  }
  return found
}

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseFigures(args, { contacts: 100_000, messages: 500_000, rate: 200, seconds: 20 })
      const line = progress("http")
      const desk = yield* setDesk(options, (text) => line.say(text))
      const port = yield* Effect.promise(freePort)
      const reference = yield* startReference(Redacted.value(serviceUrl(Redacted.make(desk.adminUrl))), port)
      const { ours, theirs, generator } = yield* Effect.promise(async () => {
        const stopWatching = watchGenerator()
        line.say("Parley")
        const ours = await measure(
          desk.app,
          kindsOf(clientOf(desk.baseUrl, desk.key), 1, options),
          options.rate,
          options.seconds
        )
        // Behind it: what the reference sends, Parley would deliver while it is measured.
        line.say("the reference")
        const theirs = await measure(
          reference,
          kindsOf(clientOf(reference.baseUrl, desk.key), 0, options),
          options.rate,
          options.seconds
        )
        return { ours, theirs, generator: stopWatching() }
      })
      line.done()
      const failures = [...ours, ...theirs].flatMap((one) => one.failures)
      const ratio = (n: number) => ours[n].cpuPerRequestMs / theirs[n].cpuPerRequestMs
      const row = (who: string) => (found: Found) => {
        const { count, p50, p99 } = summarize(found.milliseconds)
        return [`${found.name}, ${who}`, count, found.cpuPerRequestMs.toFixed(3), p50, p99, found.failures.length]
      }
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "http",
            about:
              "Processor time of a request in Parley, beside a server of Fastify and pg that makes the same queries by hand.",
            options,
            tables: [
              {
                title: "A request",
                columns: ["", "count", "processor ms", "p50 ms", "p99 ms", "failed"],
                rows: ours.flatMap((found, n) => [row("Parley")(found), row("reference")(theirs[n])])
              }
            ],
            plots: [],
            limits: [
              ...ours.map(({ name }, n) => ({
                name: `${name}: processor time, times the reference`,
                value: ratio(n),
                unit: "×",
                most: 1
              })),
              { name: "requests that failed", value: failures.length, unit: "", most: 0 }
            ],
            // Processor time does not suffer from a generator that is late.
            generator: { ...generator, invalid: null },
            details: { failures: failures.slice(0, 20) }
          },
          options.json
        )
      )
    })
  )
