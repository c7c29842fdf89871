/** The bench of calls, small: its own Parley answers every question, and a bare server is called as one of somebody else's. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freePort } from "../../src/integrations/web/FreePort.ts"
import { eventually } from "../support/eventually.ts"
import { playsInRealTime } from "../support/Slowness.ts"

playsInRealTime()

const file = (name: string) => resolve(import.meta.dirname, "../../bench", name)

/** The report of a bench, whatever its exit code: limits of speed are no test. */
const reportOf = async (...args: ReadonlyArray<string>) => {
  const child = spawn(process.execPath, [file("main.ts"), ...args, "--json"], { stdio: ["ignore", "pipe", "pipe"] })
  let [said, complained] = ["", ""]
  child.stdout.on("data", (text) => {
    said += text
  })
  child.stderr.on("data", (text) => {
    complained += text
  })
  await once(child, "close")
  assert.include(said, '"bench":"calls"', complained)
  return JSON.parse(said) as {
    readonly limits: ReadonlyArray<{ readonly name: string; readonly value: number }>
    readonly details: { readonly counts: Readonly<Record<string, number>> }
  }
}

describe("the bench of calls", () => {
  it("has every question answered, with every frame in its place", async () => {
    const { limits } = await reportOf("calls", "3", "--seconds", "6", "--ramp", "1", "--together")
    const value = (name: string) => limits.find((limit) => limit.name.startsWith(name))?.value
    assert.deepStrictEqual([value("content errors"), value("calls that failed"), value("calls missing")], [0, 0, 0])
  })

  it("calls a server that is not its own, and knows an echo from an answer", async () => {
    const port = await freePort()
    const server = spawn(process.execPath, [file("crowd/echo-server.ts")], {
      env: { PORT: String(port) },
      stdio: "ignore"
    })
    try {
      await Effect.runPromise(
        eventually("the server listens", () =>
          fetch(`http://127.0.0.1:${port}/readyz`).then(
            ({ ok }) => ok,
            () => false
          )
        )
      )
      const target = ["--target", `ws://127.0.0.1:${port}/media`, "--plain"]
      const { counts } = (await reportOf("calls", "4", ...target, "--seconds", "6", "--ramp", "1", "--generators", "2"))
        .details
      assert.strictEqual(counts.calls, 4)
      assert.strictEqual(counts.refused + counts.dropped, 0)
      assert.isAbove(counts.turns, 0)
      assert.strictEqual(counts.overlapped, counts.turns)
    } finally {
      server.kill()
    }
  })
})
