/**
 * Measures what docs/performance.md shows of calls, one bench after the other, on a machine where nothing else runs (some 35 minutes). With
 * words only the benches whose commands hold one of them. Each has its report under bench/results/; a summary is printed at the end.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"

const commands: ReadonlyArray<string> = [
  "floor --calls 200 --seconds 30 --pin",
  "floor --calls 500 --seconds 30 --ramp 20 --pin",
  "calls 100 250 500 --seconds 20 --ramp 10 --pin",
  "calls --search --calls 250 --seconds 20 --pin",
  "calls 1000 --seconds 20 --ramp 30 --pin",
  "calls 1500 --seconds 20 --ramp 40 --pin",
  "setup --pin",
  "overload --calls 150 --seconds 30 --pin",
  "features --calls 100 --seconds 20 --pin",
  "calls --calls 150 --seconds 30 --together",
  "calls --calls 150 --seconds 30 --workers 2",
  "latency --calls 40 --seconds 60",
  "latency",
  "barge-in",
  "frame",
  "soak --minutes 5 --calls 60"
]

const runOne = async (command: string): Promise<number> => {
  const main = resolve(import.meta.dirname, "main.ts")
  const child = spawn(process.execPath, [...process.execArgv, main, ...command.split(" ")], { stdio: "inherit" })
  const [code] = await once(child, "exit")
  return typeof code === "number" ? code : 1
}

export const run = async (words: ReadonlyArray<string>): Promise<number> => {
  const outcomes: Array<readonly [string, number]> = []
  for (const command of commands) {
    if (words.length > 0 && !words.some((word) => command.includes(word))) continue
    console.log(`\n━━ npm run bench -- ${command}\n`)
    outcomes.push([command, await runOne(command)])
  }
  console.log("\n━━ exit codes (0: limits met)")
  for (const [command, code] of outcomes) console.log(`${String(code).padStart(4)}  ${command}`)
  return outcomes.every(([, code]) => code === 0) ? 0 : 1
}
