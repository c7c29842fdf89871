/**
 * Measures the dashboard by its budgets (docs/dashboard.md): bytes and files, and, in a Chromium on a slowed machine and line, how soon pages are ready and
 * keys are answered, in an organization with 100,000 conversations, of which one has 20,000 messages. Then by how much a page grows in an hour of 10 events
 * a second, which pass as fast as they can.
 */
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { Client } from "pg"
import { type BusyTime, playBusyTime } from "../test/web/browser/BusyTime.ts"
import { fedStream } from "../test/web/browser/FedStream.ts"
import { openSeats, sessionCookie, until } from "../test/web/browser/Seats.ts"
import { mostOfFirstLoad, mostOfPage, mostOfShell, weighPages } from "../web/build/budgets.ts"
import { keyTimes, throttle, type Visit, visit, watchKeys } from "./dashboard/Visit.ts"
import { conversationId, conversationsOf } from "./desk/Bulk.ts"
import { setDesk } from "./desk/Stage.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { percentile } from "./support/Statistics.ts"

/** So often each page is opened, in a new browser each time; the median counts. */
const rounds = 5
const keysPressed = 60
const longThread = 20_000

const KB = 1_024

const quiet = `document.querySelector('[aria-busy="true"], .skeleton') === null`
const inbox = `document.querySelectorAll("[data-conversation]").length > 5 && ${quiet}`
const thread = `document.querySelectorAll("[role=log] [id^=msg_]").length > 20`
const shown = `document.querySelector("h1") !== null && ${quiet}`

interface Measured {
  readonly name: string
  readonly address: string
  readonly ready: string
  readonly mostMs: number
}

const pages: ReadonlyArray<Measured> = [
  { name: "sign-in (the shell)", address: "/sign-in", ready: `document.querySelector("form") !== null`, mostMs: 1_200 },
  { name: "inbox", address: "/inbox", ready: inbox, mostMs: 1_600 },
  { name: "contacts", address: "/contacts", ready: shown, mostMs: 1_000 },
  { name: "calls", address: "/calls", ready: shown, mostMs: 1_000 },
  { name: "you", address: "/you", ready: shown, mostMs: 1_000 }
]

/** Gives the first conversation, which is open, a long past. */
const lengthen = async (adminUrl: string, organizationId: string, id: string) => {
  const client = new Client({ connectionString: adminUrl })
  await client.connect()
  try {
    await client.query("SET session_replication_role = replica")
    await client.query(
      `INSERT INTO messages (organization_id, id, conversation_id, direction, type, content, status, created_at)
       SELECT $1, 'msg_' || lpad(to_hex(50000000 + n), 26, '0'), $2, CASE WHEN n % 3 = 0 THEN 'outbound' ELSE 'inbound' END, 'text',
         jsonb_build_object('text', 'Message ' || n || ' of a long conversation about an order.'),
         CASE WHEN n % 3 = 0 THEN 'delivered' ELSE 'received' END, now() - (${longThread} - n) * interval '1 minute'
       FROM generate_series(1, ${longThread}) n`,
      [organizationId, id]
    )
    await client.query(`UPDATE conversations SET last_activity_at = now(), last_inbound_at = now() WHERE id = $1`, [id])
  } finally {
    await client.end()
  }
}

/** A person who can sign in. */
const hire = async (baseUrl: string, key: string) => {
  const person = { email: "bench@example.com", password: `${randomBytes(12).toString("base64url")} of the bench` }
  const answer = await fetch(`${baseUrl}/api/users`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...person, name: "Bench", role: "ADMIN" })
  })
  if (!answer.ok) throw new Error(`The person of the bench could not be made: ${answer.status} ${await answer.text()}`)
  return person
}

/** A conversation with its newest message, as the interface gives it. */
const opened = async (
  baseUrl: string,
  key: string,
  id: string
): Promise<Pick<BusyTime, "conversation" | "message">> => {
  const answer = await fetch(`${baseUrl}/api/messaging-api/chats/${id}?limit=1`, {
    headers: { authorization: `Bearer ${key}` }
  })
  const {
    messages,
    calls: _,
    ...conversation
  } = (await answer.json()) as BusyTime["conversation"] & {
    readonly messages: ReadonlyArray<BusyTime["message"]>
    readonly calls: unknown
  }
  const [message] = messages
  if (message === undefined) throw new Error(`The conversation has no message: ${answer.status}`)
  return { conversation, message }
}

const median = (values: ReadonlyArray<number>) => percentile(values, 0.5)

export const taken = {
  numbers: { contacts: 100_000, messages: 1_000_000, minutes: 60 },
  means: { minutes: "of 10 events a second in an open inbox, which pass as fast as they can" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const line = progress("dashboard")
      line.say("building the pages")
      const seats = yield* openSeats()
      const weights = weighPages()
      const desk = yield* setDesk(options, (text) => line.say(text))
      seats.start(desk.baseUrl)
      const found = yield* Effect.promise(async () => {
        const open = conversationId(10)
        await lengthen(desk.adminUrl, desk.organizationId, open)
        const cookie = await sessionCookie(desk.baseUrl, await hire(desk.baseUrl, desk.adminKey))

        const visits = new Map<string, Array<Visit>>()
        for (let round = 0; round < rounds; round++)
          for (const { name, address, ready } of pages) {
            line.say(`${name}, ${round + 1} of ${rounds}`)
            const { context, page } = await seats.visitor(address === "/sign-in" ? {} : { cookie })
            const devtools = await throttle(context, page)
            visits.set(name, [...(visits.get(name) ?? []), await visit(page, devtools, address, ready)])
            await seats.closeSeats()
          }

        line.say("the long conversation")
        const { context, page } = await seats.visitor({ cookie })
        const devtools = await throttle(context, page)
        await visit(page, devtools, "/inbox", inbox)
        const row = `document.querySelector('[data-conversation="${open}"]')`
        await until(page, `${row} !== null`)
        const begun = (await page.evaluate(
          `(() => { const now = performance.now(); ${row}.click(); return now })()`
        )) as number
        const threadMs = (await until(page, thread)) - begun

        line.say("keys")
        await watchKeys(page)
        for (let pressed = 0; pressed < keysPressed; pressed++) {
          await page.keyboard.press(pressed % 6 === 5 ? "k" : "j")
          await page.waitForTimeout(150)
        }
        const keys = await keyTimes(page, keysPressed)
        const heap = (await page.evaluate("performance.memory?.usedJSHeapSize ?? 0")) as number
        const problems = [...(await seats.closeSeats())]

        line.say("a busy hour")
        const long = await seats.visitor({ cookie, scripts: [fedStream] })
        const busy = await playBusyTime(long.context, long.page, {
          ...(await opened(desk.baseUrl, desk.key, open)),
          seconds: options.minutes * 60,
          say: (second) => line.say(`a busy hour, minute ${second / 60}`)
        })
        problems.push(...(await seats.closeSeats()))
        return { visits, threadMs, keys, heap, problems, busy }
      })
      line.done()

      const rows = pages.map(({ name, mostMs }) => {
        const of = found.visits.get(name) ?? []
        return { name, mostMs, readyMs: median(of.map(({ readyMs }) => readyMs)), last: of[of.length - 1] }
      })
      const limits: ReadonlyArray<Limit> = [
        { name: "shell", value: weights.shell.bytes / KB, unit: "KB", most: mostOfShell / KB },
        {
          name: "first load with the inbox",
          value: (weights.shell.bytes + weights.pages["Inbox.tsx"].bytes) / KB,
          unit: "KB",
          most: mostOfFirstLoad / KB
        },
        ...Object.entries(weights.pages).map(([page, { bytes }]) => ({
          name: `${page.replace(".tsx", "")}, beyond the shell`,
          value: bytes / KB,
          unit: "KB",
          most: mostOfPage(page) / KB
        })),
        ...rows.map(({ name, mostMs, readyMs }) => ({
          name: `${name}: ready`,
          value: readyMs,
          unit: "ms",
          most: mostMs
        })),
        { name: `conversation of ${longThread} messages: ready`, value: found.threadMs, unit: "ms", most: 300 },
        { name: "a key in the inbox, p95", value: percentile(found.keys, 0.95), unit: "ms", most: 100 },
        {
          name: `growth in ${options.minutes} minutes of 10 events a second`,
          value: found.busy.grownMb,
          unit: "MB",
          most: 5
        },
        {
          name: "requests a minute meanwhile",
          value: Object.values(found.busy.requests).reduce((sum, one) => sum + one, 0) / options.minutes,
          unit: "",
          most: 6
        },
        { name: "memory of scripts", value: found.heap / KB / KB, unit: "MB", most: 120 },
        { name: "problems in the browsers", value: found.problems.length, unit: "", most: 0 }
      ]
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "dashboard",
            about: `The dashboard over ${conversationsOf(options)} conversations; processor four times slower, 10 Mbit/s, 40 ms.`,
            options: { ...options, switches: undefined, words: undefined },
            tables: [
              {
                title: `A page in a new browser, median of ${rounds}`,
                columns: ["", "ready ms", "at most ms", "files", "requests", "KB over the line"],
                rows: rows.map(({ name, mostMs, readyMs, last }) => [
                  name,
                  readyMs,
                  mostMs,
                  last.files,
                  last.requests,
                  last.bytes / KB
                ])
              }
            ],
            plots: [
              { _tag: "Histogram", title: "From a key to the next picture", unit: "ms", values: found.keys, limit: 100 }
            ],
            limits,
            // Nothing is generated: the browser runs by itself.
            generator: null,
            details: { ...found, visits: Object.fromEntries(found.visits), weights }
          },
          options.json
        )
      )
    })
  )
