/** Tells what changed between two sets of kept runs of one bench, beyond what runs differ by themselves. */
import { readFile } from "node:fs/promises"
import { type Change, changesOf, type KeptRun, keptRunOf } from "./support/Comparison.ts"
import { OptionsInvalid, parseOptions } from "./support/Options.ts"
import { type Table, tableText } from "./support/Table.ts"

export const taken = {
  numbers: {},
  words: { shown: "BEFORE.json AFTER.json", mean: "kept runs of one bench; several of each are joined by commas" }
} as const

const runsOf = (list: string): Promise<ReadonlyArray<KeptRun>> =>
  Promise.all(
    list.split(",").map(async (file) => {
      const text = await readFile(file, "utf8").catch(() => {
        throw new OptionsInvalid(`${file} cannot be read`)
      })
      return keptRunOf(file, text)
    })
  )

const shown = (change: Change): ReadonlyArray<string | number> => {
  const { name, before, after, low, high, verdict } = change
  const sign = (value: number) => `${value > 0 ? "+" : ""}${Number(value.toPrecision(3))}`
  return [name, before, after, Number.isNaN(low) ? "–" : `${sign(low)} to ${sign(high)}`, verdict]
}

const table = (changes: ReadonlyArray<Change>): Table => ({
  title: "Changes (the difference lies between these bounds with 95 % confidence)",
  columns: ["figure", "before", "after", "difference", ""],
  rows: changes.map(shown)
})

/** Prints what changed; 0 also when much did, because which direction is better depends on the figure. */
export const run = async (args: ReadonlyArray<string>): Promise<number> => {
  try {
    const { words, json } = parseOptions(args, taken)
    if (words.length !== 2) throw new OptionsInvalid("usage: npm run bench -- compare BEFORE.json AFTER.json")
    const [before, after] = await Promise.all(words.map(runsOf))
    const benches = new Set([...before, ...after].map(({ bench }) => bench))
    if (benches.size > 1) throw new OptionsInvalid(`these are runs of different benches: ${[...benches].join(", ")}`)
    const invalid = [...before, ...after].filter((kept) => kept.invalid !== null)
    for (const { file, invalid: why } of invalid) console.error(`${file} says nothing: ${why}`)
    const changes = changesOf(before, after)
    if (json) console.log(JSON.stringify({ changes, invalid: invalid.map(({ file }) => file) }))
    else {
      console.log(tableText(table(changes)))
      const clear = changes.filter(({ verdict }) => verdict !== "within the noise" && verdict !== "same").length
      console.log(`\n${clear} of ${changes.length} figures changed beyond the noise`)
    }
    return 0
  } catch (cause) {
    if (!(cause instanceof OptionsInvalid)) throw cause
    console.error(cause.message)
    return 2
  }
}
