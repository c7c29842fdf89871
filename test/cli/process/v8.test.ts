/** V8's own threads and engines, in processes of their own: priorities stay with the process. */
import { execFile, spawn } from "node:child_process"
import { getPriority } from "node:os"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { comesAbout } from "../../support/eventually.ts"

const script = `
  import { readdirSync, readFileSync } from "node:fs"
  import { readFile } from "node:fs/promises"
  import { getPriority } from "node:os"
  import { Effect } from "effect"
  import { yieldToCalls } from "./src/cli/process/v8.ts"
  // A trip through libuv's threads, so that they are there.
  await readFile("package.json")
  await Effect.runPromise(yieldToCalls)
  const threads = readdirSync("/proc/self/task").map(Number)
  const name = (thread) => readFileSync("/proc/self/task/" + thread + "/comm", "utf8").trim()
  console.log(JSON.stringify(threads.map((thread) => ({
    own: thread === process.pid, files: name(thread) === "libuv-worker", nice: getPriority(thread)
  }))))`

interface Thread {
  readonly own: boolean
  readonly files: boolean
  readonly nice: number
}

describe.skipIf(process.platform !== "linux")("the threads of V8", () => {
  it("have a lower priority than the thread that runs calls, unlike the threads for files and DNS", async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script])
    const threads: ReadonlyArray<Thread> = JSON.parse(stdout)
    const own = threads.find((thread) => thread.own)?.nice
    const files = threads.filter((thread) => thread.files).map(({ nice }) => nice)
    expect(files.length).toBeGreaterThan(0)
    expect(new Set(files)).toEqual(new Set([own]))
    expect(threads.filter(({ nice }) => nice === Math.min(19, (own ?? 0) + 10)).length).toBeGreaterThanOrEqual(4)
  })
})

describe("a process that waits to take the calls of an engine", () => {
  it("is behind the process that holds their sound", async () => {
    const spare = spawn(process.execPath, ["src/main.ts", "serve"], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      env: { ...process.env, PARLEY_SPARE: "1", PARLEY_MEDIA_SOCKETS: "/nowhere/sound.sock" }
    })
    const { pid = 0 } = spare
    try {
      const behind = Math.min(19, getPriority() + 2)
      await comesAbout("it is 2 nicer", () => getPriority(pid) === behind)
    } finally {
      spare.kill("SIGKILL")
    }
  })
})
