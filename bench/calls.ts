/** Measures how many conversations an engine carries, what each costs, and whether every caller hears its own answers and nothing else. */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { type Listened, listenedLimits, listenedTable, openListeners } from "./crowd/Listeners.ts"
import { answerWithinMs, openingWithinMs } from "./crowd/Member.ts"
import { pinned } from "./crowd/Pinning.ts"
import { setStage } from "./crowd/Stage.ts"
import { generatorOf, limitsOf, measure, type Step } from "./crowd/Step.ts"
import {
  contentTable,
  generatorTable,
  heardTable,
  loadTable,
  memoryTable,
  setupTable,
  stepPlots
} from "./crowd/StepReport.ts"
import { OptionsInvalid, parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { met, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { stopAgainAndAgain } from "./support/Stops.ts"
import { callTarget } from "./target/CallTarget.ts"

/** Calls settle into their rhythm before a step is measured. */
const settleSeconds = 5
const mostSearched = 4_000

/** What callers that were too many left unanswered is known when none of them waits any more. */
const recoveryMs = Math.max(answerWithinMs, openingWithinMs) + 1_000

/** The numbers of calls to measure: those given as words, else the one of `--calls`, where a search begins. */
export const stepsOf = (words: ReadonlyArray<string>, calls: number, search: boolean): ReadonlyArray<number> => {
  const steps = words.map(Number)
  if (search && steps.length > 0)
    throw new OptionsInvalid("--search finds the numbers of calls by itself, from --calls on")
  if (search && calls > mostSearched) throw new OptionsInvalid(`--search goes no higher than ${mostSearched} calls`)
  if (steps.some((step) => !Number.isInteger(step) || step < 1)) throw new OptionsInvalid("steps are numbers of calls")
  return steps.length === 0 ? [calls] : steps.toSorted((a, b) => a - b)
}

const good = (step: Step): boolean => step.generator.invalid === null && limitsOf(step).every(met)

export const taken = {
  numbers: { seconds: 30, calls: 200, ramp: 10, workers: 1, generators: 1, lasts: 0, providers: 0, listeners: 0 },
  switches: ["search", "pin", "together", "apart", "stops", "plain", "i-own-this-target"],
  texts: ["target", "account-sid", "auth-token", "number", "speech", "arrivals", "thresholds", "junit"],
  words: { shown: "[CALLS…]", mean: "numbers of calls, one step each, instead of --calls" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { workers, switches } = options
      const search = switches.has("search")
      const numbers = stepsOf(options.words, options.calls, search)
      if (workers > 1 && switches.has("pin"))
        throw new OptionsInvalid("--pin would put all workers on one processor: give either --workers or --pin")
      if (options.listeners > 0 && !switches.has("together"))
        throw new OptionsInvalid(
          "--listeners needs --together: an app hears of the calls of other processes over Redis"
        )
      const most = search ? mostSearched : Math.max(...numbers)
      const line = progress("calls")
      const { target } = options.texts
      if (target !== undefined) return yield* callTarget(options, target, numbers[0], line)
      const meant = taken.texts.find((name) => options.texts[name] !== undefined)
      if (meant !== undefined) throw new OptionsInvalid(`--${meant} is for calls at a --target`)
      line.say("starting")
      const together = switches.has("together")
      const engineCpu = pinned(switches.has("pin"))
      const sound = switches.has("apart") ? "process" : "inside"
      const maxCalls = Math.ceil(most * 1.2) + 20
      const stage = yield* setStage({ calls: most, maxCalls, together, workers, sound, engineCpu })
      const setup: Array<number> = []
      const webhook: Array<number> = []
      const listened: Array<Listened> = []

      const stepAt = async (calls: number, recovers = false): Promise<Step> => {
        const { crowd, tally } = stage
        if (recovers) {
          // A search goes back from a step that was too much: what that one left unanswered is not this one's.
          line.say(`back to ${calls} calls`)
          crowd.shrink(Math.max(0, crowd.live - calls))
          await sleep(recoveryMs)
          tally.take()
        }
        const missing = calls - crowd.live
        if (missing > 0) {
          line.say(`${missing} more calls`)
          await crowd.grow(missing, Math.max(options.ramp, missing / 50))
        } else crowd.shrink(-missing)
        await sleep(settleSeconds * 1_000)
        setup.push(...tally.times.setup)
        webhook.push(...tally.times.webhook)
        const goOn = switches.has("stops") ? stopAgainAndAgain(await stage.engine.engines()) : async () => undefined
        const listeners = await openListeners(stage, options.listeners)
        listeners.begin()
        const step = await measure(stage, calls, options.seconds, (text) => line.say(text)).finally(goOn)
        if (options.listeners > 0) listened.push(listeners.heard())
        listeners.close()
        return step
      }

      /** Half as many again until a step fails, then the middle, three times. */
      const searched = async (): Promise<ReadonlyArray<Step>> => {
        const steps: Array<Step> = []
        let [low, high, wasGood] = [0, Number.POSITIVE_INFINITY, true]
        for (let calls = options.calls, halvings = 0; halvings <= 3 && calls <= mostSearched; ) {
          const step = await stepAt(calls, !wasGood)
          steps.push(step)
          wasGood = good(step)
          if (wasGood) low = calls
          else high = calls
          if (high < Number.POSITIVE_INFINITY) halvings++
          calls = high === Number.POSITIVE_INFINITY ? Math.round(calls * 1.5) : Math.round((low + high) / 2)
          if (calls < 1 || calls === low || calls === high) break
        }
        return steps
      }
      const inOrder = async (): Promise<ReadonlyArray<Step>> => {
        const steps: Array<Step> = []
        for (const calls of numbers) steps.push(await stepAt(calls))
        return steps
      }
      const steps = yield* Effect.promise(search ? searched : inOrder)
      line.done()
      for (const note of steps.flatMap(({ tally }) => tally.notes).slice(0, 20)) console.error(note)
      const held = steps
        .filter(good)
        .reduce<Step | undefined>((best, it) => (it.calls > (best?.calls ?? 0) ? it : best), undefined)
      const generator = held !== undefined && search ? held.generator : generatorOf(steps)
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "calls",
            about: search
              ? `The most calls that kept all limits in a valid run: ${held?.calls ?? "none"}.`
              : "Conversations at the same time, each with its own words and its own answers.",
            options: { ...options, switches: [...switches] },
            tables: [
              loadTable(steps),
              heardTable(steps),
              contentTable(steps),
              ...(steps.length > 1 ? [memoryTable(steps)] : []),
              setupTable(setup, webhook),
              ...listened.map(listenedTable),
              generatorTable(steps)
            ],
            plots: stepPlots(steps),
            limits: [
              ...(search ? (held === undefined ? [] : limitsOf(held)) : steps.flatMap(limitsOf)),
              ...listened.flatMap(listenedLimits)
            ],
            generator:
              search && held === undefined
                ? { ...generator, invalid: "no number of calls kept the limits" }
                : generator,
            details: { steps, setup, webhook }
          },
          options.json
        )
      )
    })
  )
