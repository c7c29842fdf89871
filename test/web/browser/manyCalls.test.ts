/** Many calls at once on the live page, and many call pages one after the other: nothing freezes, and nothing is kept that nobody shows. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { ProcessBus } from "../../../src/domain/basics/bus/ProcessBus.ts"
import { VoiceAgents } from "../../../src/domain/voice/agents/VoiceAgent.ts"
import { Calls } from "../../../src/domain/voice/calls/records/CallRecord.ts"
import { answered, ended, said } from "../../support/escalation.ts"
import { startedDashboard } from "./Dashboard.ts"
import { inChromium } from "./inChromium.ts"
import { longestPause, pageMemory, watchPauses } from "./PageMemory.ts"
import { settled, until } from "./Seats.ts"

const running = 200
/** That many call pages are opened; `CALL_PAGES=100` opens as many as the brief names. */
const opened = Number(process.env.CALL_PAGES ?? 40)
const MB = 1_024 * 1_024

const states = ["caller", "thinking", "agent", "silence"] as const

/** Opens an address as a link of the page would: without a new document. */
const openInside = (path: string) =>
  `history.pushState({}, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate", { state: {} }))`

inChromium("a page with calls", () => {
  const started = startedDashboard()

  it("shows 200 running calls as they go on, and opens dozens that are over, without a freeze and without growing", async () => {
    const dashboard = started()
    const { organizationId, agentId } = dashboard.tenant
    const run = <A, E>(effect: Effect.Effect<A, E, Effect.Services<typeof makeCalls>>) =>
      Effect.runPromise(Effect.provide(effect, dashboard.services))
    const { data: left } = await dashboard.ask<{ readonly data: ReadonlyArray<{ readonly id: string }> }>(
      "GET",
      "/api/calls/live"
    )
    const makeCalls = Effect.gen(function* () {
      const agent = yield* Effect.flatMap(VoiceAgents, (agents) => agents.find(organizationId, agentId))
      if (agent === undefined) return yield* Effect.die("there is no agent")
      const desk = { organizationId, agent, connection: { organizationId, accountSid: "", authToken: "" } }
      const calls = yield* Calls
      // A story that is told again begins without the calls of the time before.
      for (const { id } of left) yield* calls.apply(ended(desk, id, "caller_hangup", new Date().toISOString()))
      const now = new Date().toISOString()
      const ids = yield* Effect.forEach(
        Array.from({ length: running }),
        () => Effect.map(answered(desk, now), ({ id }) => id),
        { concurrency: 8 }
      )
      const end = (id: string) =>
        Effect.gen(function* () {
          for (const at of [1, 2, 3, 4]) yield* calls.apply(said(desk, id, at, `Sentence ${at} of ${id}.`))
          yield* calls.apply(ended(desk, id, "caller_hangup", new Date().toISOString()))
        })
      return { ids, end: Effect.forEach(ids, end, { concurrency: 8, discard: true }) }
    })
    const { ids, end } = await run(makeCalls)

    const { page, context } = await dashboard.signIn("owner", "/live")
    const list = page.getByRole("list", { name: "Running calls" })
    await until(page, `document.querySelectorAll('main ul[aria-label="Running calls"] > li').length === ${running}`)
    await list.getByRole("link").first().waitFor()
    const memory = await pageMemory(context, page)
    await watchPauses(page)

    /** Every call changes its state once, as engines tell it. */
    const goOn = (state: (typeof states)[number]) =>
      run(
        Effect.gen(function* () {
          const bus = yield* ProcessBus
          for (const id of ids) {
            const at = Date.now()
            const call = { id, agentId, state, since: new Date(at).toISOString() }
            bus.publish({ organizationId, type: "call.updated", at, data: { call } })
            const words = {
              call: { id },
              role: "caller",
              text: `Now ${state}, ${at}`,
              final: true,
              startMs: at % 60_000
            }
            bus.publish({ organizationId, type: "call.words", at, data: words })
            yield* Effect.sleep("2 millis")
          }
        })
      )
    // Rows look different in each state: they are measured in the last one both times.
    for (const state of states) await goOn(state)
    await list.getByText("“Now silence").first().waitFor()
    const before = await memory()
    const requests: Array<string> = []
    page.on("request", (request) => void requests.push(new URL(request.url()).pathname))
    for (const state of states) await goOn(state)
    const after = await memory()
    expect(after.nodes, "nodes").toBeLessThan(before.nodes * 1.1)
    expect(after.heap - before.heap, "bytes more after 1,600 events").toBeLessThan(3 * MB)
    expect(requests.length, "requests for 1,600 events").toBeLessThan(20)

    requests.length = 0
    await run(end)
    await page.getByText("Nobody is on the telephone.").waitFor()
    expect(requests.length, "requests for 200 calls that end").toBeLessThan(60)
    expect(await longestPause(page), "ms without an answer to a key").toBeLessThan(1_000)

    const open = async (id: string) => {
      await page.evaluate(openInside(`/calls/${id}`))
      await until(page, `document.querySelector("main")?.innerText.includes("Sentence 4 of ${id}")`)
      await settled(page)
    }
    for (const id of ids.slice(0, 10)) await open(id)
    const few = await memory()
    for (const id of ids.slice(10, opened)) await open(id)
    const many = await memory()
    expect(many.nodes, "nodes after all pages").toBeLessThan(few.nodes * 1.2)
    expect(many.listeners, "listeners").toBeLessThan(few.listeners * 1.2)
    expect(many.heap - few.heap, "bytes more after all pages").toBeLessThan(5 * MB)
    expect(await longestPause(page), "ms without an answer to a key").toBeLessThan(1_000)
  })
})
