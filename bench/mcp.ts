/**
 * The MCP server with many assistants: what an idle session holds, how soon 200 tool calls a second are answered beside 500 open sessions, what a call
 * costs beside the REST route of the same use case, and what a client that stops reading holds.
 */
import { Agent } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { openSse, post, type SseSession } from "./assistants/SseClient.ts"
import { clientOf, type Kind, type Measured, paced } from "./desk/OpenLoop.ts"
import { type Desk, setDesk } from "./desk/Stage.ts"
import { decisive, watchGenerator } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import type { Plot } from "./support/Plot.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { summarize } from "./support/Statistics.ts"

const limits = { p99Ms: 50, idleKb: 30, stalledMb: 4, afterStalledMb: 0.5, timesRest: 2 }
const warmUpSeconds = 5
/** How many are opened at once. */
const atOnce = 20
/** What a client asks that reads nothing: answers of some 50 KB each. */
const unread = 300
const settleMs = 1_500

/** A list that both the tool and the route give from the same statement. */
const listed = { limit: 5 }
const call = { name: "list_contacts", arguments: listed }

const heldBytes = async ({ app }: Pick<Desk, "app">) => {
  await app.read({ forceGc: true })
  await sleep(settleMs)
  const { heapBytes, externalBytes } = await app.read({ forceGc: true })
  return heapBytes + externalBytes
}

/** Opens sessions, some at once. */
const openAll = async (count: number, open: () => Promise<SseSession>) => {
  const sessions: Array<SseSession> = []
  while (sessions.length < count)
    sessions.push(...(await Promise.all(Array.from({ length: Math.min(atOnce, count - sessions.length) }, open))))
  return sessions
}

const modern = {
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": call.name,
  accept: "application/json, text/event-stream"
}
const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {}
}

interface Found extends Measured {
  readonly cpuPerRequestMs: number
}

const cpuMs = async ({ app }: Pick<Desk, "app">) => (await app.read()).cpuSeconds * 1_000

/** Each kind on its own, so that the processor time is that of the kind. The kinds take turns: 1, 2, 3, 3, 2, 1. */
const measure = async (desk: Desk, kinds: ReadonlyArray<Kind>, rate: number, seconds: number) => {
  const sums = kinds.map(({ name }) => ({
    name,
    milliseconds: [] as Array<number>,
    failures: [] as Array<string>,
    cpu: 0
  }))
  for (const kind of kinds) await paced([kind], rate, warmUpSeconds)
  const order = kinds.map((_, n) => n)
  for (const turn of [...order, ...order.toReversed()]) {
    const before = await cpuMs(desk)
    const [{ milliseconds, failures }] = await paced([kinds[turn]], rate, seconds / 2)
    sums[turn].cpu += (await cpuMs(desk)) - before
    sums[turn].milliseconds.push(...milliseconds)
    sums[turn].failures.push(...failures)
  }
  return sums.map(
    ({ cpu, ...measured }): Found => ({ ...measured, cpuPerRequestMs: cpu / measured.milliseconds.length })
  )
}

/** What a client that reads nothing holds in the service: while it is there, and after it is gone. */
const stalled = async (desk: Desk, open: () => Promise<SseSession>) => {
  const session = await open()
  const before = await heldBytes(desk)
  session.stall()
  for (let n = 0; n < unread; n++) if ((await session.say("tools/list", {})) === 404) break
  const during = (await heldBytes(desk)) - before
  session.close()
  await sleep(settleMs)
  return { during, after: (await heldBytes(desk)) - before }
}

export const taken = {
  numbers: { calls: 500, rate: 200, seconds: 20, contacts: 10_000 },
  means: {
    calls: "sessions that are open all the time",
    seconds: "how long to measure each kind of request, after 5 s to warm up"
  }
} as const

const mb = (bytes: number) => bytes / 1_024 / 1_024

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls: count, rate, seconds, contacts } = options
      const line = progress("mcp")
      const desk = yield* setDesk({ contacts, messages: contacts }, (text) => line.say(text))
      const { baseUrl, mcpKey: key } = desk
      const found = yield* Effect.promise(async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 256 })
        const address = { baseUrl, key, agent }
        const open = () => openSse(address)
        // The first sessions make what all of them share.
        for (const session of await openAll(20, open)) {
          await session.ask("tools/call", call)
          session.close()
        }
        line.say("opening sessions")
        const before = await heldBytes(desk)
        const sessions = await openAll(count, open)
        const idleKb = ((await heldBytes(desk)) - before) / count / 1_024

        let nth = 0
        const rest = clientOf(baseUrl, key)
        const kinds: ReadonlyArray<Kind> = [
          {
            name: "REST: GET /contacts",
            send: async () => void (await rest(`/api/messaging-api/contacts?limit=${listed.limit}`))
          },
          {
            name: "HTTP+SSE: tools/call",
            send: async () => void (await sessions[nth++ % sessions.length].ask("tools/call", call))
          },
          {
            name: "Streamable HTTP 2026-07-28: tools/call",
            send: async (n) => {
              const body = { jsonrpc: "2.0", id: n, method: "tools/call", params: { ...call, _meta: meta } }
              const { status, text } = await post(address, "/api/mcp", body, modern)
              if (status !== 200 || /"error":\{|"isError":true/.test(text))
                throw new Error(`answered ${status}: ${text.slice(0, 200)}`)
            }
          }
        ]
        line.say("tool calls")
        const stopWatching = watchGenerator()
        const measured = await measure(desk, kinds, rate, seconds)
        const generator = stopWatching()
        line.say("a client that reads nothing")
        const held = await stalled(desk, open)
        for (const session of sessions) session.close()
        agent.destroy()
        return { idleKb, measured, generator, held }
      })
      line.done()
      const { idleKb, measured, generator, held } = found
      const [rest, ...tools] = measured
      const p99Of = ({ milliseconds }: Found) => summarize(milliseconds).p99
      const bounds: ReadonlyArray<Limit> = [
        { name: "an idle session", value: idleKb, unit: "KB", most: limits.idleKb },
        ...tools.map((one) => ({ name: `${one.name}: p99`, value: p99Of(one), unit: "ms", most: limits.p99Ms })),
        ...tools.map((one) => ({
          name: `${one.name}: processor time, times REST`,
          value: one.cpuPerRequestMs / rest.cpuPerRequestMs,
          unit: "×",
          most: limits.timesRest
        })),
        { name: "a client that reads nothing", value: mb(held.during), unit: "MB", most: limits.stalledMb },
        { name: "what is left of it", value: mb(held.after), unit: "MB", most: limits.afterStalledMb },
        { name: "requests that failed", value: measured.flatMap(({ failures }) => failures).length, unit: "", most: 0 }
      ]
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "mcp",
            about: `${count} open sessions of assistants and ${rate} tool calls a second, beside the REST route of the same use case.`,
            options: { ...options, switches: undefined, words: undefined },
            tables: [
              {
                title: "A request",
                columns: ["", "count", "processor ms", "p50 ms", "p90 ms", "p99 ms", "failed"],
                rows: measured.map((one) => {
                  const { count, p50, p90, p99 } = summarize(one.milliseconds)
                  return [one.name, count, one.cpuPerRequestMs.toFixed(3), p50, p90, p99, one.failures.length]
                })
              }
            ],
            plots: measured.map(
              ({ name, milliseconds }): Plot => ({
                _tag: "Histogram",
                title: `From when it was due to its answer: ${name}`,
                unit: "ms",
                values: milliseconds,
                limit: limits.p99Ms
              })
            ),
            limits: bounds,
            generator: decisive([generator]),
            details: found
          },
          options.json
        )
      )
    })
  )
