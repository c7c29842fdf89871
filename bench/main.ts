/** `npm run bench` lists the benchmarks, `npm run bench -- <name> [arguments]` runs one; exit code 1 when it misses its limit. */

type Bench = { readonly run: (args: ReadonlyArray<string>) => Promise<number> }

const benches: Record<string, { readonly about: string; readonly load: () => Promise<Bench> }> = {
  frame: { about: "cost of one incoming 20 ms frame", load: () => import("./frame.ts") },
  vad: { about: "misses and false alarms of voice activity detection in noise", load: () => import("./vad.ts") }
}

const [name, ...args] = process.argv.slice(2)
const bench = name === undefined ? undefined : benches[name]
if (bench === undefined) {
  console.log("usage: npm run bench -- <name>")
  for (const [known, { about }] of Object.entries(benches)) console.log(`  ${known.padEnd(10)} ${about}`)
  process.exitCode = name === undefined ? 0 : 1
} else {
  process.exitCode = await (await bench.load()).run(args)
}
