/** A process that takes files and works off imports in several databases. Each freezes at its own step FREEZE_AT. */
import { Effect } from "effect"
import { csvOf } from "./contactImports.ts"
import { type Step, startImporting, takeFile } from "./importService.ts"
import { eachOf, environmentOf, freezing, storesOf } from "./stores.ts"

const start = Effect.fnUntraced(function* (variables: Readonly<Record<string, string>>) {
  const reached = freezing<Step>(variables)
  const environment = environmentOf(variables)
  if (variables.FREEZE_AT !== "received") return void (yield* startImporting(environment, reached))
  const { ORGANIZATION = "" } = variables
  // More rows than are stored at a time, so that some are stored and others are not.
  yield* takeFile(ORGANIZATION, csvOf(600), reached("received")).pipe(Effect.provide(storesOf(environment)))
})

const run = Effect.gen(function* () {
  yield* Effect.forEach(eachOf(process.env), start, { concurrency: "unbounded", discard: true })
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(run))
