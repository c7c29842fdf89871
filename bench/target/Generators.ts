/** Processes that share the callers of a plan: one core makes some hundred calls, and a generator that is late measures itself. */
import { fork } from "node:child_process"
import { resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { makeClips } from "../crowd/Clips.ts"
import { decisive, type GeneratorReport, watchGenerator } from "../support/GeneratorCheck.ts"
import { summarize } from "../support/Statistics.ts"
import { Findings, type FoundElsewhere } from "./Findings.ts"
import { type TargetWords, targetOf } from "./Target.ts"
import { utterancesOf } from "./Utterances.ts"
import { type Plan, Visitors } from "./Visitors.ts"

/** A plan as it was asked for, which every process reads for itself. */
export interface Order extends Pick<Plan, "calls" | "ramp" | "seconds" | "lasts" | "arrivals" | "firstCaller"> {
  readonly words: TargetWords
  readonly speech: string | undefined
}

/** How far a process is: shown while it plays. */
export interface Going {
  readonly live: number
  readonly turns: number
  readonly answerP50Ms: number
}

export interface Generated {
  readonly findings: FoundElsewhere
  readonly generator: GeneratorReport
}

/** What a process says while it plays, and at its end. */
export type Said = { readonly going: Going } | { readonly generated: Generated } | { readonly failed: string }

const everyMs = 1_000

/** Plays an order in this process. */
export const generate = async (order: Order, say: (going: Going) => void): Promise<Generated> => {
  const { words, speech, ...rest } = order
  const findings = new Findings()
  const [utterances, { noise }] = [await utterancesOf(speech), await makeClips()]
  const visitors = new Visitors({ ...rest, target: targetOf(words), utterances, noise }, findings)
  const timer = setInterval(() => {
    const { times, counts } = findings
    say({ live: visitors.live, turns: counts.turns, answerP50Ms: summarize(times.answer).p50 })
  }, everyMs)
  let report: GeneratorReport | undefined
  try {
    await visitors.play(() => {
      const stopWatching = watchGenerator()
      void sleep(rest.seconds * 1_000 - 50, undefined, { ref: false }).then(() => {
        report = stopWatching()
      })
    })
  } finally {
    clearInterval(timer)
  }
  if (report === undefined) throw new Error("the generator was not watched to the end")
  return { findings, generator: report }
}

/** Plays an order in a process of its own. */
const generateElsewhere = (order: Order, say: (going: Going) => void): Promise<Generated> =>
  new Promise((found, failed) => {
    const child = fork(resolve(import.meta.dirname, "generator.ts"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })
    const end = () => void child.kill()
    process.once("exit", end)
    child.on("message", (said: Said) => {
      if ("going" in said) say(said.going)
      else if ("generated" in said) found(said.generated)
      else failed(new Error(said.failed))
    })
    child.once("error", failed)
    child.once("exit", (code) => {
      process.removeListener("exit", end)
      failed(new Error(`a generator ended with ${code}`))
    })
    child.send(order)
  })

/** Callers and seconds are shared out evenly; `say` hears the sum of all. */
export const generateAll = async (
  order: Order,
  processes: number,
  say: (going: Going) => void
): Promise<{ readonly findings: Findings; readonly generator: GeneratorReport }> => {
  const goings: Array<Going> = Array.from({ length: processes }, () => ({ live: 0, turns: 0, answerP50Ms: Number.NaN }))
  const share = (index: number): Order => ({
    ...order,
    calls: Math.floor(order.calls / processes) + (index < order.calls % processes ? 1 : 0),
    firstCaller: order.firstCaller + index * 100_000
  })
  const play = processes === 1 ? generate : generateElsewhere
  const generated = await Promise.all(
    goings.map((_, index) =>
      play(share(index), (going) => {
        goings[index] = going
        say({
          live: goings.reduce((sum, { live }) => sum + live, 0),
          turns: goings.reduce((sum, { turns }) => sum + turns, 0),
          answerP50Ms: summarize(goings.map(({ answerP50Ms }) => answerP50Ms).filter(Number.isFinite)).p50
        })
      })
    )
  )
  const findings = new Findings()
  for (const one of generated) findings.add(one.findings)
  return { findings, generator: decisive(generated.map(({ generator }) => generator)) }
}
