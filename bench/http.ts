/**
 * Compares what requests cost in Parley and in a server of Fastify and `pg` that does the same work with hand-written statements: same database, same
 * role, in one run. The queries differ: the reference looks its key up for each request, and needs 7 round trips for a contact and 10 for a send.
 * Parley remembers keys, needs one round trip for a contact, and shares those of concurrent sends.
 */
import { Effect, Redacted } from "effect"
import { sendRule } from "../src/domain/messaging/sending/SendMessage.ts"
import { serviceUrl } from "../src/integrations/postgres/database/ServiceRole.ts"
import { freePort } from "../src/integrations/web/FreePort.ts"
import { conversationsOf, phoneOf } from "./desk/Bulk.ts"
import { clientOf, type Kind, type Measured, paced } from "./desk/OpenLoop.ts"
import { startReference } from "./desk/Reference.ts"
import { setDesk } from "./desk/Stage.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { OptionsInvalid, parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import type { Service } from "./support/Service.ts"
import { summarize } from "./support/Statistics.ts"
import { benchTarget, writingKinds } from "./target/DeskTarget.ts"

const warmUpSeconds = 15
const api = "/api/messaging-api"

interface Found extends Measured {
  readonly cpuPerRequestMs: number
}

type Watched = Pick<Service, "read">
/** Processor time since it began, ms. */
const cpuMs = async (server: Watched) => (await server.read()).cpuSeconds * 1_000

interface Sizes {
  readonly contacts: number
  readonly messages: number
}

type Ask = (path: string, body?: unknown) => Promise<unknown>

/** Open conversations, of each ten the first two: one for each server. */
const openTo = ({ contacts, messages }: Sizes): number => Math.floor(conversationsOf({ contacts, messages }) / 10)

/** The nth recipient of a server; they follow each other until all had one. */
export const recipientOf = (which: 0 | 1, n: number, sizes: Sizes): string =>
  phoneOf(10 * (1 + (n % openTo(sizes))) - which * 9)

/** Throws OptionsInvalid where recipients would get more messages than Parley sends to one of them in an hour. */
export const checkRecipients = (options: Sizes & { readonly rate: number; readonly seconds: number }): void => {
  const [sends, recipients] = [Math.ceil(options.rate * (warmUpSeconds + options.seconds)), openTo(options)]
  if (sends > recipients * sendRule.limit)
    throw new OptionsInvalid(
      `${sends} messages to ${recipients} recipients are more than the ${sendRule.limit} that each may get in an hour: ` +
        "give more --contacts and --messages (a recipient for each 10 contacts and 100 messages), a lower --rate or fewer --seconds"
    )
}

/** No number is made twice, and each server has recipients of its own, who have an open conversation. */
const kindsOf = (ask: Ask, which: 0 | 1, options: Sizes): ReadonlyArray<Kind> => {
  let [made, sent] = [0, 0]
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
        void (await ask(`${api}/send`, {
          to: recipientOf(which, sent++, options),
          type: "text",
          text: "Your order is on its way."
        }))
    }
  ]
}

interface Contender {
  readonly server: Watched
  readonly kinds: ReadonlyArray<Kind>
}

/** The speed of a shared machine changes within minutes, so the two take turns: ours, theirs, theirs, ours. */
const turns = [0, 1, 1, 0] as const

/** Each kind on its own, so that the processor time of a server is that of the kind; gives what was found of each contender, by kind. */
const measure = async (
  contenders: readonly [Contender, Contender],
  rate: number,
  seconds: number,
  say: (text: string) => void
): Promise<ReadonlyArray<readonly [Found, Found]>> => {
  const found: Array<readonly [Found, Found]> = []
  for (const [n, { name }] of contenders[0].kinds.entries()) {
    say(name)
    for (const { kinds } of contenders) await paced([kinds[n]], rate, warmUpSeconds)
    const sums = contenders.map(() => ({ milliseconds: [] as Array<number>, failures: [] as Array<string>, cpuMs: 0 }))
    for (const turn of turns) {
      const { server, kinds } = contenders[turn]
      const before = await cpuMs(server)
      const [{ milliseconds, failures }] = await paced([kinds[n]], rate, (2 * seconds) / turns.length)
      sums[turn].cpuMs += (await cpuMs(server)) - before
      sums[turn].milliseconds.push(...milliseconds)
      sums[turn].failures.push(...failures)
    }
    const [ours, theirs] = sums.map(({ cpuMs, ...measured }) => ({
      ...measured,
      name,
      cpuPerRequestMs: cpuMs / measured.milliseconds.length
    }))
    found.push([ours, theirs])
  }
  return found
}

/** At a target, where no reference stands beside it. */
const mostTargetMs = 50

export const taken = {
  texts: ["target", "key"],
  switches: ["i-own-this-target", "with-their-data"],
  numbers: { contacts: 100_000, messages: 500_000, rate: 200, seconds: 20 },
  means: { seconds: "how long to measure each kind of request at each server, after 15 s to warm up" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const line = progress("http")
      if (options.texts.target !== undefined)
        return yield* Effect.promise(() => benchTarget("http", options, args, writingKinds, mostTargetMs, line))
      checkRecipients(options)
      const desk = yield* setDesk(options, (text) => line.say(text))
      const port = yield* Effect.promise(freePort)
      const reference = yield* startReference(Redacted.value(serviceUrl(Redacted.make(desk.adminUrl))), port)
      const { found, generator } = yield* Effect.promise(async () => {
        const stopWatching = watchGenerator()
        const parley = { server: desk.app, kinds: kindsOf(clientOf(desk.baseUrl, desk.key), 1, options) }
        const other = { server: reference, kinds: kindsOf(clientOf(reference.baseUrl, desk.key), 0, options) }
        const found = await measure([parley, other], options.rate, options.seconds, (text) => line.say(text))
        return { found, generator: stopWatching() }
      })
      line.done()
      const failures = found.flat().flatMap((one) => one.failures)
      const row = (who: string) => (found: Found) => {
        const { count, p50, p99 } = summarize(found.milliseconds)
        return [`${found.name}, ${who}`, count, found.cpuPerRequestMs.toFixed(3), p50, p99, found.failures.length]
      }
      const plot = (who: string, { name, milliseconds }: Found): Plot => ({
        _tag: "Histogram",
        title: `From when it was due to its answer: ${name}, ${who}`,
        unit: "ms",
        values: milliseconds
      })
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "http",
            about:
              "Processor time of a request in Parley, beside a server of Fastify and pg that does the same work with statements by hand, in more round trips.",
            options: { ...options, switches: undefined, words: undefined },
            tables: [
              {
                title: "A request",
                columns: ["", "count", "processor ms", "p50 ms", "p99 ms", "failed"],
                rows: found.flatMap(([ours, theirs]) => [row("Parley")(ours), row("reference")(theirs)])
              }
            ],
            plots: [
              {
                _tag: "Bars",
                title: "Processor time of a request",
                unit: "ms",
                bars: found.flatMap(([ours, theirs]) => [
                  [`${ours.name}, Parley`, ours.cpuPerRequestMs] as const,
                  [`${theirs.name}, reference`, theirs.cpuPerRequestMs] as const
                ])
              },
              ...found.flatMap(([ours, theirs]) => [plot("Parley", ours), plot("reference", theirs)])
            ],
            limits: [
              ...found.map(([ours, theirs]) => ({
                name: `${ours.name}: processor time, times the reference`,
                value: ours.cpuPerRequestMs / theirs.cpuPerRequestMs,
                unit: "×",
                most: 1
              })),
              { name: "requests that failed", value: failures.length, unit: "", most: 0 }
            ],
            // Processor time does not suffer from a generator that is late.
            generator: { ...generator, invalid: null },
            details: { found: found.map(([parley, reference]) => ({ parley, reference })) }
          },
          options.json
        )
      )
    })
  )
