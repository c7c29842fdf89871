/** A process that runs several inboxes of the messaging channel. Each has its own database and freezes at its own step FREEZE_AT. */
import { Effect } from "effect"
import { type Step, startInbox } from "./inboxService.ts"
import { eachOf, environmentOf, freezing } from "./stores.ts"

const start = (variables: Readonly<Record<string, string>>) => {
  const { CHANNEL_URL = "", DATA_DIR = "", PORT = "0" } = variables
  const environment = {
    ...environmentOf(variables),
    channelUrl: CHANNEL_URL,
    folder: DATA_DIR,
    port: Number(PORT)
  }
  return startInbox(environment, freezing<Step>(variables))
}

const run = Effect.gen(function* () {
  yield* Effect.forEach(eachOf(process.env), start, { concurrency: "unbounded", discard: true })
  console.log("running")
  return yield* Effect.never
})
await Effect.runPromise(Effect.scoped(run))
