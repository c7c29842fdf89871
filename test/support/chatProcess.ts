/** A process with the workers of several team chats, each from a database of its own. Each freezes at its own step FREEZE_AT. */
import { Effect } from "effect"
import { type Step, startChat } from "./chatService.ts"
import { eachOf, environmentOf, freezing } from "./stores.ts"

const run = Effect.gen(function* () {
  yield* Effect.forEach(
    eachOf(process.env),
    (variables) =>
      startChat(
        environmentOf(variables),
        variables.SLACK_URL ?? "",
        { in: true, out: true },
        freezing<Step>(variables)
      ),
    { concurrency: "unbounded", discard: true }
  )
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(run))
