/** `calls` at a target: the crowd is here, the service is somebody else's. */
import { Effect } from "effect"
import type { taken } from "../calls.ts"
import { limitsOf as knownLimitsOf } from "../crowd/Step.ts"
import { contentTable, heardPlots, heardTable, setupTable } from "../crowd/StepReport.ts"
import { writeJUnit } from "../support/JUnit.ts"
import { type Options, OptionsInvalid } from "../support/Options.ts"
import type { Progress } from "../support/Progress.ts"
import { publish, type Report } from "../support/Report.ts"
import { arrivalKindOf } from "./Arrivals.ts"
import { generateAll, type Order } from "./Generators.ts"
import { listenToKnown } from "./OwnProviders.ts"
import { baseOf, type Target, type TargetWords, targetOf } from "./Target.ts"
import { limitsOf, thresholdsOf } from "./Thresholds.ts"
import { utterancesOf } from "./Utterances.ts"
import { callsTable, checksTable, timesTable, turnsTable, utterancesTable, visitorPlots } from "./VisitorReport.ts"

type Asked = Options<keyof typeof taken.numbers, (typeof taken.switches)[number], (typeof taken.texts)[number]>

/** What was said of a target. Throws OptionsInvalid for options that need the bench's own service. */
export const wordsOf = ({ texts, switches, words, workers }: Asked, target: string): TargetWords => {
  const own = (["search", "pin", "together"] as const).find((name) => switches.has(name))
  if (own !== undefined) throw new OptionsInvalid(`--${own} is for the service that the bench starts, not for a target`)
  if (workers > 1) throw new OptionsInvalid("--workers is for the service that the bench starts; see --generators")
  if (words.length > 1) throw new OptionsInvalid("a target gets one number of calls")
  return {
    target,
    plain: switches.has("plain"),
    owned: switches.has("i-own-this-target"),
    accountSid: texts["account-sid"],
    authToken: texts["auth-token"],
    number: texts.number
  }
}

const reported = (report: Report, { texts: { junit }, json }: Pick<Asked, "texts" | "json">) =>
  Effect.promise(async () => {
    if (junit !== undefined) await writeJUnit(junit, report)
    return publish(report, json)
  })

/** A target whose providers are the bench's. */
const callKnown = Effect.fnUntraced(function* (options: Asked, target: Target, calls: number, line: Progress) {
  const { account, url } = target
  const { texts, ramp, seconds, providers: port } = options
  if (account === undefined) throw new OptionsInvalid("--providers is for a Parley: --plain asks no providers of ours")
  const meant = (["speech", "arrivals", "thresholds"] as const).find((name) => texts[name] !== undefined)
  if (meant !== undefined)
    throw new OptionsInvalid(`--${meant} has no meaning with --providers, which know what is said`)
  const base = baseOf(target)
  const { heard, setup, webhook } = yield* listenToKnown({ base, account, calls, ramp, seconds, port }, line.say)
  line.done()
  for (const note of heard.tally.notes) console.error(note)
  return yield* reported(
    {
      bench: "calls",
      about: `Callers at ${url.href}, whose providers are the bench's.`,
      options: { target: url.href, calls, ramp, seconds, providers: port },
      tables: [heardTable([heard]), contentTable([heard]), setupTable(setup, webhook)],
      plots: heardPlots(heard),
      limits: knownLimitsOf(heard),
      generator: heard.generator,
      details: { heard, setup, webhook }
    },
    options
  )
})

/** Calls the target by the options of `calls`; gives the exit code. */
export const callTarget = Effect.fnUntraced(function* (options: Asked, target: string, calls: number, line: Progress) {
  const words = wordsOf(options, target)
  const asked = targetOf(words)
  if (options.providers !== 0) return yield* callKnown(options, asked, calls, line)
  const { url, account } = asked
  const { texts, ramp, seconds, lasts, generators } = options
  const thresholds = texts.thresholds === undefined ? [] : thresholdsOf(texts.thresholds)
  const order: Order = {
    ...{ words, ramp, seconds, lasts, calls },
    speech: texts.speech,
    arrivals: arrivalKindOf(texts.arrivals),
    firstCaller: 1
  }
  // Read once before anything is called, so that a file that cannot be used is told first.
  const utterances = yield* Effect.promise(() => utterancesOf(texts.speech))
  const { findings, generator } = yield* Effect.promise(() =>
    generateAll(order, generators, ({ live, turns, answerP50Ms }) =>
      line.say(
        `${live} of ${calls} calls, ${turns} turns${Number.isNaN(answerP50Ms) ? "" : `, answers after ${Math.round(answerP50Ms)} ms (p50)`}`
      )
    )
  )
  line.done()
  for (const note of findings.notes) console.error(note)
  const plain = account === undefined
  const report: Report = {
    bench: "calls",
    about: `Callers at ${url.href}, which is not the bench's own.`,
    options: {
      target: url.href,
      ...{ plain, calls, ramp, seconds, lasts, generators },
      arrivals: order.arrivals,
      speech: utterances.map(({ name, text }) => (text === "" ? name : `${name}: ${text}`)),
      thresholds
    },
    tables: [
      callsTable(findings, calls),
      turnsTable(findings),
      timesTable(findings),
      ...utterancesTable(findings),
      checksTable(plain)
    ],
    plots: visitorPlots(findings),
    limits: limitsOf(findings, plain, thresholds),
    generator,
    details: { counts: findings.counts, times: findings.times, answersTo: findings.answersTo, notes: findings.notes }
  }
  return yield* reported(report, options)
})
