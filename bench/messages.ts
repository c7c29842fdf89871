/** How long lists, searches and conversations take in an organization with a million contacts and five million messages. */
import { Effect } from "effect"
import { conversationId, conversationsOf, phoneOf } from "./desk/Bulk.ts"
import { clientOf, type Kind, paced } from "./desk/OpenLoop.ts"
import { requestReport } from "./desk/RequestReport.ts"
import { setDesk } from "./desk/Stage.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { benchTarget, readingKinds } from "./target/DeskTarget.ts"

const mostMs = 25
/** Until then the service compiles its code beside its work. */
const warmUpSeconds = 20

/** The same numbers in every run: spread over `most`, in no order. */
const spread = (n: number, most: number): number => 1 + ((n * 48_271 + 11) % most)
const pick = <A>(n: number, from: ReadonlyArray<A>): A => from[n % from.length]

const api = "/api/messaging-api"
const names = ["asha", "garcia 7", "ivanov", "müller", "mensah 1", "ana", "yuki sato", "chloe 99"]
const letters = ["a", "sh", "m", "ko", "z", "xq", "99", "21"]
const tags = ["customer", "vip", "segment-7", "segment-812", "nobody"]

const kindsOf = (
  ask: (path: string) => Promise<unknown>,
  sizes: { readonly contacts: number; readonly messages: number }
): ReadonlyArray<Kind> => {
  const get = (name: string, path: (n: number) => string): Kind => ({
    name,
    send: async (n) => void (await ask(api + path(n)))
  })
  const conversations = conversationsOf(sizes)
  return [
    get("contacts, newest", (n) => `/contacts?page=${1 + (n % 20)}`),
    get("contacts, by part of a name", (n) => `/contacts?search=${encodeURIComponent(pick(n, names))}`),
    get(
      "contacts, by part of a number",
      (n) => `/contacts?search=${phoneOf(spread(n, sizes.contacts)).slice(4, 5 + (n % 7) + 3)}`
    ),
    get("contacts, by one or two letters", (n) => `/contacts?search=${pick(n, letters)}`),
    get("contacts of a tag", (n) => `/contacts?tag=${pick(n, tags)}`),
    get("chats, latest activity first", (n) => `/chats?page=${1 + (n % 20)}`),
    get("chats of a status", (n) => `/chats?status=${pick(n, ["OPEN", "RESOLVED"])}`),
    get("a conversation with its messages", (n) => `/chats/${conversationId(spread(n, conversations))}`),
    get("messages, newest", (n) => `/messages?page=${1 + (n % 20)}&limit=50`)
  ]
}

export const taken = {
  texts: ["target", "key"],
  switches: ["i-own-this-target", "with-their-data"],
  numbers: { contacts: 1_000_000, messages: 5_000_000, rate: 200, seconds: 60 },
  means: { seconds: "how long to measure, after 20 s to warm up" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const line = progress("messages")
      if (options.texts.target !== undefined)
        return yield* Effect.promise(() => benchTarget("messages", options, args, readingKinds, mostMs, line))
      const { baseUrl, key } = yield* setDesk(options, (text) => line.say(text))
      const kinds = kindsOf(clientOf(baseUrl, key), options)
      const { measured, generator } = yield* Effect.promise(async () => {
        line.say("warming up")
        await paced(kinds, options.rate, warmUpSeconds)
        line.say(`${options.rate} requests a second`)
        const stopWatching = watchGenerator()
        const measured = await paced(kinds, options.rate, options.seconds)
        return { measured, generator: stopWatching() }
      })
      line.done()
      return yield* Effect.promise(() =>
        publish(
          requestReport({
            bench: "messages",
            about: `${options.rate} requests a second in an organization with ${options.contacts} contacts and ${options.messages} messages.`,
            options: { ...options, switches: undefined, words: undefined },
            ...{ measured, mostMs, generator }
          }),
          options.json
        )
      )
    })
  )
