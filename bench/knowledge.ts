/**
 * Whether the right passage is found, and how soon: questions in English, Hindi and Spanish over a shop's knowledge, among passages about other things.
 * The questions are in `bench/knowledge`; those that begin with `!` are codes and names, of which every one must be found.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Clock, Effect, Layer, Redacted } from "effect"
import { makeProcessSync } from "../src/actors/knowledge/SyncWorker.ts"
import { DocumentReader, WebSites } from "../src/domain/ai/knowledge/Documents.ts"
import { KnowledgeBases } from "../src/domain/ai/knowledge/KnowledgeBase.ts"
import { KnowledgeSources, sourceLimits } from "../src/domain/ai/knowledge/KnowledgeSource.ts"
import { SearchKnowledge } from "../src/domain/ai/knowledge/SearchKnowledge.ts"
import { Moderation } from "../src/domain/ai/providers/Moderation.ts"
import { ObjectStorage } from "../src/domain/basics/ObjectStorage.ts"
import { Organizations } from "../src/domain/people/organizations/Organization.ts"
import * as Database from "../src/integrations/postgres/database/Database.ts"
import * as EmbeddedPostgres from "../src/integrations/postgres/database/EmbeddedPostgres.ts"
import * as Repositories from "../src/integrations/postgres/Repositories.ts"
import * as KeyRing from "../src/integrations/secrets/KeyRing.ts"
import { folder } from "./support/Folder.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"
import { percentile, summarize } from "./support/Statistics.ts"

const languages = ["en", "es", "hi"] as const
const goals = { recall: 0.85, exact: 1, p95: 30 }
const mostFound = 5

interface Question {
  readonly language: string
  /** A code or a name. */
  readonly exact: boolean
  readonly text: string
  /** The heading of the passage that answers. */
  readonly expected: string
}

/** A file of `bench/knowledge`: each section has its text, then its questions. */
const read = (language: string) => {
  const lines = readFileSync(join(import.meta.dirname, "knowledge", `${language}.md`), "utf8").split("\n")
  const passages: Array<{ readonly question: string; answer: string }> = []
  const questions: Array<Question> = []
  for (const line of lines) {
    const passage = passages.at(-1)
    if (line.startsWith("## ")) passages.push({ question: line.slice(3), answer: "" })
    else if (passage === undefined || line === "") continue
    else if (/^[?!] /.test(line))
      questions.push({ language, exact: line.startsWith("!"), text: line.slice(2), expected: passage.question })
    else passage.answer = `${passage.answer} ${line}`.trim()
  }
  return { language, passages, questions }
}

const topics =
  "harbour engine gardener valley orchestra pressure glacier timber lantern copper festival sailor quarry meadow furnace archive pigeon bridge tunnel vineyard compass anchor pottery railway observatory lighthouse canal windmill stable chapel".split(
    " "
  )
const verbs = "describes measures replaces follows carries repairs collects paints moves counts shows keeps".split(" ")
const small = "the a of with near under after before in for and every one two ten day week open cost free".split(" ")

/** A passage about something else, the same for the same number. */
const otherPassage = (number: number) => {
  const pick = (from: ReadonlyArray<string>, n: number) =>
    from[(number * 31 + n * 17 + ((number * n) % 13)) % from.length]
  const words = Array.from({ length: 90 }, (_, n) => pick(n % 3 === 0 ? topics : n % 3 === 1 ? small : verbs, n))
  return { question: `About the ${pick(topics, 1)} ${number}`, answer: `${words.join(" ")} N${number}.` }
}

const inGroups = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

const allPass = Layer.succeed(Moderation, {
  check: (texts) => Effect.succeed(texts.map(() => ({ flagged: false, categories: [] })))
})
/** Only pairs of question and answer are synced here: nothing is read from elsewhere. */
const nothingElse = Layer.mergeAll(
  Layer.mock(DocumentReader, {}),
  Layer.mock(WebSites, {}),
  Layer.mock(ObjectStorage, {})
)

const stores = Effect.gen(function* () {
  const dataDir = yield* folder
  const url = yield* EmbeddedPostgres.start({ dataDir: join(dataDir, "postgres"), durable: false })
  return Repositories.layer.pipe(
    Layer.provideMerge(
      Layer.merge(
        Database.layer({ url }),
        KeyRing.layer({ ring: Redacted.make(`bench:${Buffer.alloc(32, 1).toString("base64")}`) })
      )
    )
  )
})

/** A knowledge base of the shop's passages and `others`. */
const fill = Effect.fnUntraced(function* (others: number, say: (text: string) => void) {
  const organizations = yield* Organizations
  const { id: organizationId } = yield* organizations.create({ name: "Bench", plan: "ENTERPRISE", timeZone: "UTC" })
  const bases = yield* KnowledgeBases
  const sources = yield* KnowledgeSources
  const process = yield* Effect.provide(makeProcessSync, nothingElse)
  const base = yield* bases.create(organizationId, { name: "Shop" }, 1)
  if (base === undefined) return yield* Effect.die(new Error("There is no room for a knowledge base"))
  const shop = languages.map(read)
  const noise = inGroups(
    Array.from({ length: others }, (_, n) => otherPassage(n)),
    sourceLimits.answers
  )
  for (const [n, answers] of [...shop.map(({ passages }) => passages), ...noise].entries()) {
    yield* sources.create(organizationId, base.id, { title: `Source ${n}`, answers })
    for (const job of yield* sources.claim(yield* Clock.currentTimeMillis, 600_000, 1)) yield* process(job)
    if (n % 10 === 0) say(`${n * sourceLimits.answers} passages`)
  }
  const { data } = yield* sources
    .list(organizationId, base.id, { page: 1, limit: 100 })
    .pipe(Effect.map((all) => all ?? { data: [] }))
  const broken = data.find(({ state }) => state !== "ready")
  if (broken !== undefined) return yield* Effect.die(new Error(`A source is ${broken.state}: ${broken.problem}`))
  const passages = (yield* bases.find(organizationId, base.id))?.passages ?? 0
  return { organizationId, baseId: base.id, questions: shop.flatMap(({ questions }) => questions), passages }
})

const share = (found: ReadonlyArray<boolean>): number => found.filter(Boolean).length / found.length

export const taken = {
  numbers: { passages: 10_000, rate: 50, seconds: 30 },
  means: { passages: "passages about other things", rate: "searches a second" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const line = progress("knowledge")
      const layer = yield* stores
      return yield* Effect.gen(function* () {
        const { organizationId, baseId, questions, passages } = yield* fill(options.passages, (text) => line.say(text))
        const { search } = yield* SearchKnowledge
        const ask = (text: string) => search(organizationId, [baseId], text, mostFound)
        const judged = yield* Effect.forEach(questions, (question) =>
          Effect.map(ask(question.text), (found) => ({
            ...question,
            isFound: found.some(({ headings }) => headings.includes(question.expected)),
            score: found.at(0)?.score ?? 0
          }))
        )
        line.say("searching")
        const milliseconds: Array<number> = []
        const began = performance.now()
        yield* Effect.forEach(
          Array.from({ length: options.rate * options.seconds }, (_, n) => n),
          (n) =>
            Effect.gen(function* () {
              const due = began + (n * 1_000) / options.rate
              yield* Effect.sleep(Math.max(0, due - performance.now()))
              yield* ask(questions[n % questions.length].text)
              milliseconds.push(performance.now() - due)
            }),
          { concurrency: "unbounded", discard: true }
        )
        const rows = [...languages, "all"].map((language) => {
          const of = judged.filter((each) => language === "all" || each.language === language)
          const exact = of.filter((each) => each.exact)
          return [
            language,
            of.length,
            share(of.map(({ isFound }) => isFound)).toFixed(3),
            exact.length,
            share(exact.map(({ isFound }) => isFound)).toFixed(3)
          ]
        })
        const { p50, p90, p99, max } = summarize(milliseconds)
        const p95 = percentile(milliseconds, 0.95)
        const recall = share(judged.map(({ isFound }) => isFound))
        const exact = share(judged.filter((each) => each.exact).map(({ isFound }) => isFound))
        const missed = judged.filter(({ isFound }) => !isFound).map(({ text, expected }) => `${expected}: ${text}`)
        return yield* Effect.promise(() =>
          publish(
            {
              bench: "knowledge",
              about: `Looking things up among ${passages} passages, without vectors`,
              options,
              tables: [
                {
                  title: "Found among the first five",
                  columns: ["language", "questions", "recall", "codes and names", "found"],
                  rows
                },
                {
                  title: `Milliseconds of a search, ${options.rate} a second`,
                  columns: ["searches", "p50", "p90", "p95", "p99", "max"],
                  rows: [[milliseconds.length, p50, p90, p95, p99, max]]
                }
              ],
              plots: [],
              limits: [
                { name: "questions whose passage is not found", value: 1 - recall, unit: "", most: 1 - goals.recall },
                { name: "codes and names that are not found", value: 1 - exact, unit: "", most: 1 - goals.exact },
                { name: "p95 of a search", value: p95, unit: "ms", most: goals.p95 }
              ],
              generator: null,
              details: { missed, scores: judged.map(({ text, score, isFound }) => ({ text, score, isFound })) }
            },
            options.json
          )
        )
      }).pipe(Effect.provide(Layer.merge(layer, allPass)))
    })
  )
