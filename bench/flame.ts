/**
 * Draws a profile of V8 (`--cpu-prof`) as a flame graph: one SVG that needs nothing else, a function's name and share in its tooltip.
 * Usage: `npm run bench -- flame PROFILE.cpuprofile OUT.svg`
 */
import { readFile, writeFile } from "node:fs/promises"
import { Effect } from "effect"
import { flameSvg, type Profile } from "./support/FlameGraph.ts"
import { OptionsInvalid, parseOptions, usageOf } from "./support/Options.ts"
import { runBench } from "./support/Run.ts"

export const taken = {
  numbers: {},
  words: { shown: "PROFILE.cpuprofile OUT.svg", mean: "the profile to draw, and where" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.promise(async () => {
      const { words, json } = parseOptions(args, taken)
      const [input, output, ...others] = words
      if (input === undefined || output === undefined || others.length > 0)
        throw new OptionsInvalid(`usage: npm run bench -- ${usageOf("flame", taken)}`)
      if (json) console.error("--json has no effect on this bench")
      await writeFile(output, flameSvg(JSON.parse(await readFile(input, "utf8")) as Profile))
      return 0
    })
  )
