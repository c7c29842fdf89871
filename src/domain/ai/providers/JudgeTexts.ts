/**
 * The one way of a text to a model, and from it: the content filter judges it first. Everything that a model reads from others (words of callers
 * and contacts, answers and arguments of tools, facts about a call) is judged here before it is used. A text without a verdict is not used: the
 * effect fails, and its user says what becomes of it.
 */
import { Effect } from "effect"
import { Moderation, type ModerationError, type Verdict } from "./Moderation.ts"

/** What the filter found in a text. */
export interface Flag {
  /** The parts of the text in which it was found. */
  readonly found: string
  readonly categories: ReadonlyArray<string>
}

/** The filter is most accurate on short texts, so a long one is judged in parts of this many characters. */
const partCharacters = 2_000
/** Each part begins this much before the end of the last one, so that what is split by an end is whole in the next part. */
const overlap = 200
/** The most parts in one request. */
const partsAtOnce = 32

/** A model reads `\u0062` as the letter it stands for, in JSON or not; the filter must see the letter, too. */
const readable = (text: string): string =>
  text.includes("\\u")
    ? text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text

/** Pure: the parts in which a text is judged; none for a blank text, in which there is nothing to find. */
export const partsToJudge = (text: string): ReadonlyArray<string> => {
  const whole = readable(text)
  if (whole.trim() === "") return []
  if (whole.length <= partCharacters) return [whole]
  const parts: Array<string> = []
  for (let from = 0; from === 0 || from + overlap < whole.length; from += partCharacters - overlap)
    // A pair of surrogates that an end splits becomes U+FFFD here, and is whole in the other part.
    parts.push(Buffer.from(whole.slice(from, from + partCharacters)).toString())
  return parts
}

const chunksOf = <A>(all: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size))

/** The verdict on each part, in order. Nearly always it is one request, for which no fiber is started. */
const verdictsOn = (
  parts: ReadonlyArray<{ readonly part: string }>,
  check: Moderation["Service"]["check"]
): Effect.Effect<ReadonlyArray<Verdict>, ModerationError> => {
  const ask = (some: typeof parts) => check(some.map(({ part }) => part))
  if (parts.length <= partsAtOnce) return ask(parts)
  return Effect.map(Effect.forEach(chunksOf(parts, partsAtOnce), ask, { concurrency: "unbounded" }), (all) =>
    all.flat()
  )
}

/**
 * The flag of each text, in order; `undefined` for a text that may be used. All texts go in one request, and long ones in some. Fails when there is
 * no verdict on one of them.
 */
export const judgeTexts = (
  texts: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Flag | undefined>, ModerationError, Moderation> => {
  const parts = texts.flatMap((text, index) => partsToJudge(text).map((part) => ({ index, part })))
  if (parts.length === 0) return Effect.succeed(texts.map(() => undefined))
  return Effect.flatMap(Moderation, ({ check }) =>
    Effect.map(verdictsOn(parts, check), (verdicts) =>
      texts.map((_, index) => {
        const found = parts.flatMap(({ index: of, part }, at) => {
          const verdict = verdicts[at]
          return of === index && verdict?.flagged === true ? [{ part, categories: verdict.categories }] : []
        })
        if (found.length === 0) return undefined
        const categories = [...new Set(found.flatMap(({ categories }) => categories))]
        return { found: found.map(({ part }) => part).join("\n"), categories }
      })
    )
  )
}

/** The flag of one text; `undefined` when it may be used. */
export const judgeText = (text: string): Effect.Effect<Flag | undefined, ModerationError, Moderation> =>
  Effect.map(judgeTexts([text]), ([flag]) => flag)

const because = ({ categories }: Flag): string =>
  categories.length === 0 ? "the content filter flagged" : `the content filter flagged, for ${categories.join(", ")},`

/** What a model is told in place of a text that was kept from it or from a tool. */
export const withheld = {
  answer: (flag: Flag): string =>
    `The tool ran, but its answer cannot be used: ${because(flag)} what it says. Do not run it again for the same thing. ` +
    "Say that you cannot give this information, and help in another way.",
  unchecked:
    "The tool ran, but its answer could not be checked by the content filter, so it cannot be used. " +
    "Do not run it again unless you are asked to.",
  arguments: (flag: Flag): string =>
    `The tool was not run: ${because(flag)} its arguments. Run it with other arguments, or help in another way.`,
  fact: "Something else that is known about this call was withheld by the content filter."
}
