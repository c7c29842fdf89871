/** The inbox of the messaging channel as a process of its own, which can be killed at the step FREEZE_AT. */
import { Effect } from "effect"
import { type Step, startInbox } from "./inboxService.ts"
import { environmentOf, freezing } from "./stores.ts"

const { CHANNEL_URL = "", DATA_DIR = "", PORT = "0" } = process.env
const environment = {
  ...environmentOf(process.env),
  channelUrl: CHANNEL_URL,
  folder: DATA_DIR,
  port: Number(PORT)
}

const run = Effect.gen(function* () {
  yield* startInbox(environment, freezing<Step>(process.env))
  console.log("running")
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(run))
