/** The README's way to a first message, with its own commands on a service of this machine. */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { comesAbout } from "../support/eventually.ts"
import { temporaryFolder } from "../support/folder.ts"
import { spawned } from "../support/process.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const root = resolve(import.meta.dirname, "../..")
const run = promisify(execFile)

/** The commands under the heading, without the first, which installs and starts the service. */
const commandsOf = (readme: string): ReadonlyArray<string> => {
  const block = /^## A first message.*?^```sh\n(.*?)^```/ms.exec(readme)?.[1] ?? ""
  const [first, ...others] = block.trim().split("\n")
  assert.match(first, /^npm ci && npm start\b/)
  return others
}

describe("the README's five commands", () => {
  it.live(
    "lead to a delivered message and verified webhooks",
    () =>
      Effect.gen(function* () {
        const dataDir = yield* temporaryFolder("first-message")
        const port = yield* Effect.promise(freePort)
        const base = `http://127.0.0.1:${port}`
        const env = { NODE_ENV: "development", DATA_DIR: dataDir, PORT: String(port) }
        yield* spawned([], env)
        yield* Effect.promise(() =>
          comesAbout(
            "the service is ready",
            () =>
              fetch(`${base}/readyz`).then(
                ({ ok }) => ok,
                () => false
              ),
            40_000
          )
        )
        const [sandbox, listening, sending, reading] = commandsOf(
          (yield* Effect.promise(() => readFile(resolve(root, "README.md"), "utf8"))).replaceAll(
            "http://127.0.0.1:8080",
            base
          )
        )
        const script = [
          sandbox,
          listening.replace("parley -- listen", `parley -- listen --url ${base} --events 5`),
          // A person waits for "Listening"; so long it takes on a machine that is busy.
          "sleep 20",
          sending,
          "wait",
          "sleep 3",
          reading
        ].join("\n")
        const { stdout } = yield* Effect.promise(() =>
          run("bash", ["-euc", script], { cwd: root, env: { ...process.env, ...env }, timeout: 120_000 })
        )
        const lines = stdout.trim().split("\n")
        assert.match(stdout, /^Listening as whk_/m)
        assert.match(stdout, /"status":"queued"/)
        const events = lines.filter((line) => line.includes("  signature "))
        assert.lengthOf(events, 5)
        for (const event of events) assert.include(event, "signature verified")
        const messages = JSON.parse(lines.at(-1) ?? "").data as ReadonlyArray<Record<string, unknown>>
        assert.deepStrictEqual(
          messages.map(({ direction, status }) => [direction, status]),
          [
            ["inbound", "received"],
            ["outbound", "read"]
          ]
        )
      }).pipe(Effect.scoped),
    240_000
  )
})
