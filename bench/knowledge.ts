/**
 * Whether the right passage is found, and how soon: questions in English, Hindi and Spanish over shops' knowledge, among passages about other things. By
 * words alone, then by words and vectors. The questions are in `bench/knowledge`; of those with codes and names every one must be found.
 */
import { Effect } from "effect"
import { makeFindPassages } from "../src/domain/ai/knowledge/FindPassages.ts"
import { leastScore } from "../src/domain/ai/knowledge/KnowledgeTool.ts"
import type { Passage } from "../src/domain/ai/knowledge/SearchKnowledge.ts"
import { SimilarPassages } from "../src/domain/ai/knowledge/SimilarPassages.ts"
import { fill, stores, vectors } from "./knowledge/Filled.ts"
import { languages, type Question, unanswered } from "./knowledge/Shop.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { type Limit, publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { percentile, summarize } from "./support/Statistics.ts"

const goals = { recall: { words: 0.85, vectors: 0.92 }, p95: 30, p99OfAMillion: 100 }
const mostFound = 5
/** As a text agent waits. */
const patienceMs = 1_500
/** More vectors do not fit into the memory that is given to them. */
const mostWithVectors = 20_000
const thresholds = [0.1, 0.15, 0.18, 0.2, 0.22, 0.24, 0.26, 0.28, 0.3, 0.32, 0.34, 0.36, 0.38, 0.4, 0.45, 0.5]

interface Judged extends Question {
  readonly isFound: boolean
  /** Of the best passage. */
  readonly score: number
}

type Ask = (text: string) => Effect.Effect<ReadonlyArray<Passage>>

const judge = (ask: Ask, questions: ReadonlyArray<Question>) =>
  Effect.forEach(questions, (question) =>
    Effect.map(
      ask(question.text),
      (found): Judged => ({
        ...question,
        isFound: found.some(({ headings }) => question.expected !== null && headings.includes(question.expected)),
        score: found.reduce((best, { score }) => Math.max(best, score), 0)
      })
    )
  )

/** Milliseconds from when each search was due. */
const time = Effect.fnUntraced(function* (
  ask: Ask,
  questions: ReadonlyArray<Question>,
  { rate, seconds }: { readonly rate: number; readonly seconds: number }
) {
  const milliseconds: Array<number> = []
  const began = performance.now()
  yield* Effect.forEach(
    Array.from({ length: rate * seconds }, (_, n) => n),
    (n) =>
      Effect.gen(function* () {
        const due = began + (n * 1_000) / rate
        yield* Effect.sleep(Math.max(0, due - performance.now()))
        yield* ask(questions[n % questions.length].text)
        milliseconds.push(performance.now() - due)
      }),
    { concurrency: "unbounded", discard: true }
  )
  return milliseconds
})

const share = (all: ReadonlyArray<Judged>, holds: (one: Judged) => boolean): number =>
  all.length === 0 ? 0 : all.filter(holds).length / all.length
const isFound = (one: Judged) => one.isFound

const recallRows = (how: string, judged: ReadonlyArray<Judged>) =>
  [...languages, "all"].map((language) => {
    const of = judged.filter((each) => language === "all" || each.language === language)
    const exact = of.filter((each) => each.exact)
    return [how, language, of.length, share(of, isFound).toFixed(3), exact.length, share(exact, isFound).toFixed(3)]
  })

const thresholdRows = (how: string, judged: ReadonlyArray<Judged>, without: ReadonlyArray<Judged>) =>
  thresholds.map((least) => {
    const passes = ({ score }: Judged) => score >= least
    return [
      how,
      `${least.toFixed(2)}${least === leastScore ? " (set)" : ""}`,
      share(judged.filter(isFound), passes).toFixed(3),
      share(without, passes).toFixed(3)
    ]
  })

const timeRow = (how: string, milliseconds: ReadonlyArray<number>) => {
  const { p50, p90, p99, max } = summarize(milliseconds)
  return [how, milliseconds.length, p50, p90, percentile(milliseconds, 0.95), p99, max]
}

export const taken = {
  numbers: { passages: 10_000, rate: 50, seconds: 30 },
  means: {
    passages: `passages about other things; with more than ${mostWithVectors} by words alone, and with a million the limit is p99`,
    rate: "searches a second"
  }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const line = progress("knowledge")
      return yield* Effect.gen(function* () {
        const { organizationId, baseId, questions, passages } = yield* fill(options.passages, (text) => line.say(text))
        const without = unanswered()

        const measure = Effect.fnUntraced(function* (how: "words" | "vectors") {
          const find = yield* makeFindPassages
          const ask = (text: string) => find(organizationId, [baseId], text, mostFound, patienceMs)
          if (how === "vectors") {
            // The first search makes them be read from the database.
            line.say("reading vectors")
            const { nearest } = yield* SimilarPassages
            const held = Effect.map(
              nearest(organizationId, [baseId], questions[0].text, 1, patienceMs),
              ({ length }) => length
            )
            yield* Effect.andThen(Effect.sleep("1 second"), held).pipe(Effect.repeat({ until: (found) => found > 0 }))
            yield* Effect.sleep("5 seconds")
          }
          line.say(`judging by ${how}`)
          const judged = yield* judge(ask, questions)
          const wrongly = yield* judge(ask, without)
          line.say(`timing by ${how}`)
          const milliseconds = yield* time(ask, questions, options)
          return { how, judged, wrongly, milliseconds }
        })

        const measured = [yield* measure("words")]
        if (options.passages <= mostWithVectors) {
          line.say("making vectors")
          measured.push(yield* measure("vectors").pipe(Effect.provide(vectors)))
        }
        const [{ milliseconds }] = measured
        const limits = measured.flatMap(
          ({ how, judged }): ReadonlyArray<Limit> => [
            {
              name: `questions whose passage is not found, by ${how}`,
              value: 1 - share(judged, isFound),
              unit: "",
              most: 1 - goals.recall[how]
            },
            {
              name: `codes and names that are not found, by ${how}`,
              value:
                1 -
                share(
                  judged.filter(({ exact }) => exact),
                  isFound
                ),
              unit: "",
              most: 0
            }
          ]
        )
        const ofTime: Limit =
          options.passages < 1_000_000
            ? { name: "p95 of a search by words", value: percentile(milliseconds, 0.95), unit: "ms", most: goals.p95 }
            : {
                name: "p99 of a search by words among a million",
                value: percentile(milliseconds, 0.99),
                unit: "ms",
                most: goals.p99OfAMillion
              }
        return yield* Effect.promise(() =>
          publish(
            {
              bench: "knowledge",
              about: `Looking things up among ${passages} passages; vectors are those of the simulator`,
              options,
              tables: [
                {
                  title: "Found among the first five",
                  columns: ["by", "language", "questions", "recall", "codes and names", "found"],
                  rows: measured.flatMap(({ how, judged }) => recallRows(how, judged))
                },
                {
                  title: "The least score of an answer: answered questions that reach it, and unanswered ones",
                  columns: ["by", "least score", "answered", "unanswered"],
                  rows: measured.flatMap(({ how, judged, wrongly }) => thresholdRows(how, judged, wrongly))
                },
                {
                  title: `Milliseconds of a search, ${options.rate} a second`,
                  columns: ["by", "searches", "p50", "p90", "p95", "p99", "max"],
                  rows: measured.map(({ how, milliseconds: all }) => timeRow(how, all))
                }
              ],
              plots: [],
              limits: [...limits, ofTime],
              generator: null,
              details: Object.fromEntries(
                measured.map(({ how, judged, wrongly }) => [
                  how,
                  [...judged, ...wrongly].map(({ text, expected, score, isFound: found }) => ({
                    ...{ text, expected, score },
                    isFound: found
                  }))
                ])
              )
            },
            options.json
          )
        )
      }).pipe(Effect.provide(yield* stores))
    })
  )
