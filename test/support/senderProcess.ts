/** Sending of outgoing webhooks as a process of its own, which can be killed at the step FREEZE_AT. */
import { Effect } from "effect"
import { type Step, startSender } from "./senderService.ts"
import { environmentOf, freezing } from "./stores.ts"

const run = Effect.gen(function* () {
  yield* startSender(environmentOf(process.env), freezing<Step>(process.env))
  console.log("running")
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(run))
