/** A process that tells several simulated HubSpots what happens, each from a database of its own. Each freezes at its own step FREEZE_AT. */
import { Effect } from "effect"
import { type Step, startTelling } from "./appsService.ts"
import { eachOf, environmentOf, freezing } from "./stores.ts"

const run = Effect.gen(function* () {
  yield* Effect.forEach(
    eachOf(process.env),
    (variables) => startTelling(environmentOf(variables), variables.HUBSPOT_URL ?? "", freezing<Step>(variables)),
    { concurrency: "unbounded", discard: true }
  )
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(run))
