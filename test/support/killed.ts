/** Runs programs of test/support that a test kills in the middle of their work. */
import { spawn } from "node:child_process"
import { Effect } from "effect"
import { programFile } from "./programs.ts"

/** Seconds to wait for a process to start, which takes long on a busy machine. */
export const startWithin = 90

/** Runs `test/support/<program>`. It is killed with the scope at the latest. `output` is what it has printed; `said` searches it. */
export const killable = (program: string, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [await programFile(program)], {
        env: { ...process.env, ...env },
        stdio: ["ignore", "pipe", "inherit"]
      })
      const ended = new Promise((done) => child.once("exit", done))
      const output: Array<string> = []
      child.stdout.on("data", (chunk: Buffer) => output.push(chunk.toString()))
      const kill = async () => {
        child.kill("SIGKILL")
        await ended
      }
      return { kill, output: () => output.join(""), said: (word: string) => output.join("").includes(word) }
    }),
    ({ kill }) => Effect.promise(kill)
  )
