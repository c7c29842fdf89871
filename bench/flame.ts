/**
 * Draws a profile of V8 (`--cpu-prof`) as a flame graph: one SVG that needs nothing else, a function's name and share in its tooltip.
 * Usage: `npm run bench -- flame PROFILE.cpuprofile OUT.svg`
 */
import { readFile, writeFile } from "node:fs/promises"
import { flameSvg, type Profile } from "./support/FlameGraph.ts"

export const run = async ([input, output]: ReadonlyArray<string>): Promise<number> => {
  if (input === undefined || output === undefined) {
    console.error("usage: npm run bench -- flame PROFILE.cpuprofile OUT.svg")
    return 2
  }
  await writeFile(output, flameSvg(JSON.parse(await readFile(input, "utf8")) as Profile))
  return 0
}
