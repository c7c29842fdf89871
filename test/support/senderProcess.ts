/** A process that sends outgoing webhooks from several databases. The sender of each freezes at its own step FREEZE_AT. */
import { Effect } from "effect"
import { type Step, startSender } from "./senderService.ts"
import { eachOf, environmentOf, freezing } from "./stores.ts"

const run = Effect.gen(function* () {
  yield* Effect.forEach(
    eachOf(process.env),
    (variables) => startSender(environmentOf(variables), 1_500, freezing<Step>(variables)),
    { concurrency: "unbounded", discard: true }
  )
  console.log("running")
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(run))
