/** 100,000 requests that are almost right, to a service that nobody calls: each must be answered in shape, and the service must live. */
import { Effect } from "effect"
import { sendMutated } from "../../test/support/mutatedClient.ts"
import { requestsOf } from "../../test/support/mutations.ts"
import { operationsOf } from "../../test/support/operations.ts"
import { startDurable } from "../support/Durable.ts"
import type { Progress } from "../support/Progress.ts"
import { publish } from "../support/Report.ts"

const requests = 100_000
/** What the service may hold more at the end. Megabytes. */
const mostMb = 300

/** Gives the exit code. */
export const fuzz = Effect.fn("Bench.fuzz")(function* (line: Progress, json: boolean) {
  line.say("starting")
  const { port, key, service } = yield* startDurable(100)
  return yield* Effect.promise(async () => {
    const base = `http://127.0.0.1:${port}`
    const get = async (path: string) =>
      (await fetch(base + path, { headers: { authorization: `Bearer ${key}` } })).json() as Promise<never>
    const { data }: { readonly data: ReadonlyArray<{ readonly id: string }> } = await get("/api/messaging-api/contacts")
    const seed = Math.floor(Date.now() / 1_000)
    const next = requestsOf(
      operationsOf(await get("/openapi.json")),
      key,
      data.map(({ id }) => id),
      seed
    )
    let sent = 0
    const counted = () => {
      if (++sent % 1_000 === 0) line.say(`${sent} requests (seed ${seed})`)
      return next()
    }
    const before = (await service.read({ forceGc: true })).residentBytes
    const began = performance.now()
    const { problems, statuses } = await sendMutated(port, counted, requests)
    const seconds = (performance.now() - began) / 1_000
    const { ok } = await fetch(`${base}/healthz`)
    const grown = ((await service.read({ forceGc: true })).residentBytes - before) / 1e6
    line.done()
    for (const problem of problems.slice(0, 20)) console.error(problem)
    return publish(
      {
        bench: "hostile",
        about: `${requests} requests that are almost right, made from the OpenAPI document with the seed ${seed}.`,
        options: { fuzz: true, seed },
        tables: [
          {
            title: "Answers",
            columns: ["status", "answers"],
            rows: Object.entries(statuses).map(([status, count]) => [status, count])
          },
          {
            title: "The run",
            columns: ["", "requests a second", "grown by MB"],
            rows: [["", requests / seconds, grown]]
          }
        ],
        plots: [],
        limits: [
          { name: "answers out of shape, or none", value: problems.length, unit: "", most: 0 },
          { name: "the service does not answer afterwards", value: ok ? 0 : 1, unit: "", most: 0 },
          { name: "memory of the service, grown by", value: grown, unit: "MB", most: mostMb }
        ],
        generator: null,
        details: { problems: problems.slice(0, 1_000), statuses }
      },
      json
    )
  })
})
