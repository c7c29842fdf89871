/**
 * Measures how soon the messaging channel's webhooks are answered while their content cannot be processed at all: creating contacts is blocked.
 * Everything is durable (PostgreSQL waits for its disk). `--calls` is the number of webhooks per second, each about a message of a new person.
 */
import { randomBytes } from "node:crypto"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { newMessageId } from "../simulators/channel/People.ts"
import { signatureOf, vendorJson } from "../simulators/channel/Webhooks.ts"
import { ChannelAccounts } from "../src/domain/messaging/channel/ChannelConnection.ts"
import { ChannelInbox } from "../src/domain/messaging/channel/ChannelInbox.ts"
import { paced } from "./desk/OpenLoop.ts"
import { startDurable } from "./support/Durable.ts"
import { watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { percentile, summarize } from "./support/Statistics.ts"

const limits = { p99: 250 }
/** Who is there already; webhooks tell of others. */
const contacts = 40_000

/** Nobody writes contacts while `work` runs, so no message can be worked on. */
const blocked = <A>(work: Effect.Effect<A>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(Effect.andThen(sql`LOCK TABLE contacts IN SHARE ROW EXCLUSIVE MODE`, work))
  })

/** Connects a number that nobody asks for anything; gives what posts a webhook about a message of its nth person. */
const connected = Effect.fnUntraced(function* (organizationId: string, port: number) {
  const phoneNumberId = "106540352242922"
  const appSecret = randomBytes(16).toString("hex")
  yield* (yield* ChannelAccounts).save(organizationId, {
    phoneNumberId,
    businessAccountId: "102290129340398",
    accessToken: "EAA-bench",
    appSecret,
    verifyToken: "verify-me",
    phoneNumber: null,
    businessName: null
  })
  return async (n: number) => {
    const from = `91${9_000_000_000 + n}`
    const message = { id: newMessageId(), from, timestamp: String(Math.floor(Date.now() / 1_000)), type: "text" }
    const value = {
      messaging_product: "whatsapp",
      metadata: { display_phone_number: "15550783881", phone_number_id: phoneNumberId },
      contacts: [{ profile: { name: `Guest ${n}` }, wa_id: from }],
      messages: [{ ...message, text: { body: `Message ${n}` } }]
    }
    const body = vendorJson({
      object: "whatsapp_business_account",
      entry: [{ id: "102290129340398", changes: [{ field: "messages", value }] }]
    })
    const response = await fetch(`http://127.0.0.1:${port}/api/webhooks/messaging`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-hub-signature-256": signatureOf(appSecret, body) },
      body
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`the webhook was answered ${response.status}`)
  }
})

const emptiesWithinMs = 60_000

/** Resolves when nothing waits in the inbox; dies when something stays: it would be taken for what the next part stores. */
const emptied = Effect.fnUntraced(function* (inbox: ChannelInbox["Service"]) {
  for (const began = performance.now(); ; yield* Effect.sleep("100 millis")) {
    const { waiting } = yield* inbox.count
    if (waiting === 0) return
    if (performance.now() - began > emptiesWithinMs)
      return yield* Effect.die(
        new Error(`${waiting} webhooks are still in the inbox after ${emptiesWithinMs / 1_000} s`)
      )
  }
})

export const taken = {
  numbers: { seconds: 20, calls: 50 },
  means: {
    seconds: "how long to measure, with nothing in the way and with processing blocked",
    calls: "webhooks a second"
  }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const { seconds, calls: rate, json } = parseOptions(args, taken)
      const line = progress("webhooks")
      line.say("starting")
      const { services, port, organizationId, service } = yield* startDurable(contacts)
      return yield* Effect.gen(function* () {
        const inbox = yield* ChannelInbox
        const send = yield* connected(organizationId, port)
        const measure = (from: number, time: number) =>
          Effect.promise(async () => {
            const before = await service.usage()
            const [{ milliseconds, failures }] = await paced(
              [{ name: "webhook", send: (n) => send(from + n) }],
              rate,
              time
            )
            const after = await service.usage()
            const cpuMs = ((after?.cpuSeconds ?? Number.NaN) - (before?.cpuSeconds ?? 0)) * 1_000
            return {
              milliseconds,
              failures,
              taken: milliseconds.length,
              cpuMs: cpuMs / milliseconds.length
            }
          })
        yield* measure(0, 3)
        line.say("with nothing in the way")
        const free = yield* measure(1_000_000, seconds)
        line.say("with processing blocked")
        // What is half done would be finished behind the lock.
        yield* emptied(inbox)
        const generator = watchGenerator()
        const { stopped, waiting } = yield* blocked(
          Effect.gen(function* () {
            const stopped = yield* measure(2_000_000, seconds)
            return { stopped, waiting: (yield* inbox.count).waiting }
          })
        )
        const report = generator()
        line.done()
        const row = (name: string, { milliseconds, failures, taken, cpuMs }: typeof free) => {
          const { p50, p90, p99, max } = summarize(milliseconds)
          return [name, taken, failures.length, ...[p50, p90, p99, max, cpuMs].map((value) => value.toFixed(2))]
        }
        const plot = (processing: string, { milliseconds }: typeof free): Plot => ({
          _tag: "Histogram",
          title: `From when a webhook was due to its answer, processing ${processing}`,
          unit: "ms",
          values: milliseconds,
          limit: limits.p99
        })
        return yield* Effect.promise(() =>
          publish(
            {
              bench: "webhooks",
              about:
                "Webhooks of the messaging channel: from when one was due to its answer, by when it is stored durably.",
              options: { seconds, rate },
              tables: [
                {
                  title: "Answered webhooks",
                  columns: ["processing", "answered", "failed", "p50 ms", "p90 ms", "p99 ms", "max ms", "CPU ms each"],
                  rows: [row("free", free), row("blocked", stopped)]
                }
              ],
              plots: [plot("free", free), plot("blocked", stopped)],
              limits: [
                {
                  name: "p99, processing blocked",
                  value: percentile(stopped.milliseconds, 0.99),
                  unit: "ms",
                  most: limits.p99
                },
                {
                  name: "webhooks without an answer",
                  value: free.failures.length + stopped.failures.length,
                  unit: "",
                  most: 0
                },
                { name: "answered and not stored", value: stopped.taken - waiting, unit: "", most: 0 }
              ],
              generator: report,
              details: { free, stopped, waiting }
            },
            json
          )
        )
      }).pipe(Effect.provide(services))
    })
  )
