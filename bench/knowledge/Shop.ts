/** What the bench of knowledge asks, and what stands in the knowledge base: shops' passages, and passages about other things. */
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const languages = ["en", "es", "hi"] as const

export interface Question {
  readonly language: string
  /** A code or a name. */
  readonly exact: boolean
  readonly text: string
  /** The heading of the passage that answers; null when none does. */
  readonly expected: string | null
}

const linesOf = (name: string) => readFileSync(join(import.meta.dirname, `${name}.md`), "utf8").split("\n")

/** A file of this folder: each section has its text, then its questions. Those that begin with `!` are codes and names. */
export const shopOf = (language: string) => {
  const passages: Array<{ readonly question: string; answer: string }> = []
  const questions: Array<Question> = []
  for (const line of linesOf(language)) {
    const passage = passages.at(-1)
    if (line.startsWith("## ")) passages.push({ question: line.slice(3), answer: "" })
    else if (passage === undefined || line === "") continue
    else if (/^[?!] /.test(line))
      questions.push({ language, exact: line.startsWith("!"), text: line.slice(2), expected: passage.question })
    else passage.answer = `${passage.answer} ${line}`.trim()
  }
  return { language, passages, questions }
}

/** The questions of `unanswered.md`. */
export const unanswered = (): ReadonlyArray<Question> => {
  const questions: Array<Question> = []
  let language: string | undefined
  for (const line of linesOf("unanswered")) {
    if (line.startsWith("## ")) language = line.slice(3)
    else if (language !== undefined && line !== "")
      questions.push({ language, exact: false, text: line, expected: null })
  }
  return questions
}

const topics =
  "harbour engine gardener valley orchestra pressure glacier timber lantern copper festival sailor quarry meadow furnace archive pigeon bridge tunnel vineyard compass anchor pottery railway observatory lighthouse canal windmill stable chapel".split(
    " "
  )
const verbs = "describes measures replaces follows carries repairs collects paints moves counts shows keeps".split(" ")
const small = "the a of with near under after before in for and every one two ten day week open cost free".split(" ")

/** A passage about something else, the same for the same number. */
export const otherPassage = (number: number) => {
  const pick = (from: ReadonlyArray<string>, n: number) =>
    from[(number * 31 + n * 17 + ((number * n) % 13)) % from.length]
  const words = Array.from({ length: 90 }, (_, n) => pick(n % 3 === 0 ? topics : n % 3 === 1 ? small : verbs, n))
  return { question: `About the ${pick(topics, 1)} ${number}`, answer: `${words.join(" ")} N${number}.` }
}
