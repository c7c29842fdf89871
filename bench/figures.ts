/**
 * Measures most figures about calls in docs/performance.md, one bench after the other, on a machine where nothing else runs (some 35 minutes). It
 * leaves out outages, dialogues, single turns and messages. With words as arguments it runs only the benches whose commands contain one of them.
 * Each bench writes its report under bench/results/; a summary is printed at the end.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { resolve } from "node:path"
import { Effect } from "effect"
import { chosen, parseOptions } from "./support/Options.ts"
import { interruptedCode, runBench } from "./support/Run.ts"

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

export const taken = {
  numbers: {},
  words: { shown: "[WORD…]", mean: "only benches whose commands hold one of these, e.g. setup" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.promise(async () => {
      const { words, json } = parseOptions(args, taken)
      // Where reports are objects on standard output, nothing else is.
      const say = json ? console.error : console.log
      const outcomes: Array<readonly [string, number]> = []
      for (const command of chosen(commands, (it) => it, words)) {
        say(`\n━━ npm run bench -- ${command}\n`)
        const code = await runOne(json ? `${command} --json` : command)
        if (code === interruptedCode) return code
        outcomes.push([command, code])
      }
      say("\n━━ exit codes (0: limits met)")
      for (const [command, code] of outcomes) say(`${String(code).padStart(4)}  ${command}`)
      return outcomes.every(([, code]) => code === 0) ? 0 : 1
    })
  )
