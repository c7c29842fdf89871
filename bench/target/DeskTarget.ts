/** Requests at a target: the organization of a key, filled with contacts that only a bench makes. */
import { setTimeout as sleep } from "node:timers/promises"
import { phoneOf } from "../desk/Bulk.ts"
import { clientOf, type Kind, paced } from "../desk/OpenLoop.ts"
import { requestReport } from "../desk/RequestReport.ts"
import { watchGenerator } from "../support/GeneratorCheck.ts"
import { type Options, OptionsInvalid } from "../support/Options.ts"
import type { Progress } from "../support/Progress.ts"
import { publish, type Report } from "../support/Report.ts"
import { addressOf } from "./Target.ts"

const api = "/api/messaging-api"
/** Whose contacts have this tag was filled by a bench. */
const benchTag = "parley-bench"
/** Rows of one import. */
const mostRows = 100_000
const importWithinMs = 1_800_000
const warmUpSeconds = 5
const mostContacts = 1_000_000
/** Unless more are asked for: they stay in the target. */
const contactsAtTarget = 10_000

interface Desk {
  readonly target: string
  readonly key: string
  readonly owned: boolean
  /** Whether an organization that has data of its own may be asked. */
  readonly theirs: boolean
  readonly contacts: number
}

type Ask = ReturnType<typeof clientOf>

const totalOf = async (ask: Ask, path: string): Promise<number> => {
  const { total } = Object(await ask(path)) as { readonly total?: unknown }
  if (typeof total !== "number") throw new OptionsInvalid(`${path} was not answered as by Parley`)
  return total
}

const sentence = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Throws OptionsInvalid for an organization that has data which no bench has made. Gives how many contacts of a bench there are. */
const checkData = async (ask: Ask, theirs: boolean): Promise<number> => {
  const [all, ours, chats] = await Promise.all([
    totalOf(ask, `${api}/contacts?limit=1`),
    totalOf(ask, `${api}/contacts?tag=${benchTag}&limit=1`),
    totalOf(ask, `${api}/chats?limit=1`)
  ]).catch((cause: unknown) => {
    throw cause instanceof OptionsInvalid ? cause : new OptionsInvalid(`the target cannot be asked: ${sentence(cause)}`)
  })
  if (!theirs && (all > ours || chats > 0))
    throw new OptionsInvalid(
      `the organization of this key has ${all - ours} contacts and ${chats} conversations that no bench has made: use another organization, or add --with-their-data`
    )
  return ours
}

/** Imports the contacts from the `from`th to before the `to`th. */
const importContacts = async (base: string, key: string, from: number, to: number, ask: Ask): Promise<void> => {
  const rows = Array.from({ length: to - from }, (_, n) => `${phoneOf(from + n)},Bench ${from + n}`)
  const response = await fetch(`${base}${api}/contacts/import?tags=${benchTag}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "text/csv" },
    body: `phone,name\n${rows.join("\n")}\n`
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`the import was answered ${response.status}: ${text.slice(0, 200)}`)
  const { id } = JSON.parse(text) as { readonly id: string }
  for (const began = performance.now(); performance.now() - began < importWithinMs; await sleep(1_000)) {
    const { status, error, refused } = Object(await ask(`${api}/imports/${id}`)) as Readonly<Record<string, unknown>>
    if (status === "completed") {
      if (refused !== 0)
        throw new Error(`the target refused ${String(refused)} contacts: see ${api}/imports/${id}/report`)
      return
    }
    if (status === "failed" || status === "canceled") throw new Error(`the import ${status}: ${String(error)}`)
  }
  throw new Error("the import did not end")
}

/** The target's client, with so many contacts of a bench behind it. */
const openDesk = async ({ target, key, owned, theirs, contacts }: Desk, say: (text: string) => void) => {
  const base = addressOf(target, ["http:", "https:"], owned).href.replace(/\/+$/, "")
  if (contacts > mostContacts) throw new OptionsInvalid(`a target gets at most ${mostContacts} contacts`)
  const ask = clientOf(base, key)
  let made = await checkData(ask, theirs)
  while (made < contacts) {
    const next = Math.min(contacts, made + mostRows)
    say(`contacts ${made} to ${next}`)
    await importContacts(base, key, made, next, ask)
    made = next
  }
  return ask
}

/** Asks the target and reports. */
const measureDesk = async (
  bench: string,
  kinds: ReadonlyArray<Kind>,
  { rate, seconds, target }: { readonly rate: number; readonly seconds: number; readonly target: string },
  mostMs: number,
  say: (text: string) => void
): Promise<Report> => {
  say("warming up")
  await paced(kinds, rate, warmUpSeconds)
  say(`${rate} requests a second`)
  const stopWatching = watchGenerator()
  const measured = await paced(kinds, rate, seconds)
  const generator = stopWatching()
  const failures = measured.flatMap((one) => one.failures)
  for (const failure of new Set(failures.slice(0, 200))) console.error(failure)
  return requestReport({
    bench,
    about: `${rate} requests a second at ${target}, which is not the bench's own.`,
    options: { target, rate, seconds },
    ...{ measured, mostMs, generator }
  })
}

const pick = <A>(n: number, from: ReadonlyArray<A>): A => from[n % from.length]

/** What people and programs read: lists and searches of what is there. */
export const readingKinds = (ask: Ask, contacts: number): ReadonlyArray<Kind> => {
  const get = (name: string, path: (n: number) => string): Kind => ({
    name,
    send: async (n) => void (await ask(api + path(n)))
  })
  const pages = Math.max(1, Math.min(20, Math.floor(contacts / 20)))
  return [
    get("contacts, newest", (n) => `/contacts?page=${1 + (n % pages)}`),
    get("contacts, by part of a name", (n) => `/contacts?search=${encodeURIComponent(`bench ${n % contacts}`)}`),
    get("contacts, by part of a number", (n) => `/contacts?search=${phoneOf(n % contacts).slice(6)}`),
    get("contacts, by one or two letters", (n) => `/contacts?search=${pick(n, ["a", "be", "n", "9", "42"])}`),
    get("contacts of a tag", (n) => `/contacts?tag=${pick(n, [benchTag, "nobody"])}`),
    get("chats, latest activity first", () => "/chats"),
    get("messages, newest", () => "/messages?limit=50")
  ]
}

/** Requests of a program that keeps contacts. Nothing is sent to anybody. */
export const writingKinds = (ask: Ask, contacts: number): ReadonlyArray<Kind> => {
  const [list, , , , , chats] = readingKinds(ask, contacts)
  let made = 0
  return [
    list,
    {
      name: "contacts, change",
      send: async () =>
        void (await ask(`${api}/contacts?upsert=true`, {
          phone: phoneOf(made++ % contacts),
          name: "Asha Rao",
          tags: [benchTag]
        }))
    },
    chats
  ]
}

type Asked = Options<"contacts" | "rate" | "seconds", "i-own-this-target" | "with-their-data", "target" | "key">

/** A bench of requests at its `--target`; gives the exit code. `args` say whether the number of contacts was given. */
export const benchTarget = async (
  bench: string,
  { texts: { target, key }, switches, contacts, rate, seconds, json }: Asked,
  args: ReadonlyArray<string>,
  kindsOf: (ask: Ask, contacts: number) => ReadonlyArray<Kind>,
  mostMs: number,
  { say, done }: Progress
): Promise<number> => {
  if (target === undefined || key === undefined) throw new OptionsInvalid("a target needs --key")
  const wanted = args.some((arg) => arg.startsWith("--contacts")) ? contacts : contactsAtTarget
  const owned = switches.has("i-own-this-target")
  const theirs = switches.has("with-their-data")
  const ask = await openDesk({ target, key, owned, theirs, contacts: wanted }, say)
  const report = await measureDesk(bench, kindsOf(ask, wanted), { rate, seconds, target }, mostMs, say)
  done()
  return publish(report, json)
}
