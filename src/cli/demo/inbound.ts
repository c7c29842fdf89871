/** `parley demo`: a simulated caller phones an agent and speaks with it. Everything in between is the real service, with embedded defaults. */
import { Console, Effect } from "effect"
import type { Settings } from "../../config/Environment.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { script as callerScript } from "./caller.ts"
import { converse, type DemoOptions, type Expectation } from "./converse.ts"
import { lines } from "./dialogue.ts"
import { humanNumber } from "./organization.ts"
import { complaintsOf, unlessHeard } from "./report.ts"
import { setStage } from "./stage.ts"

const expected: Expectation = {
  complaints: (report) =>
    complaintsOf(report, [
      unlessHeard(report, Object.values(lines)),
      [report.bargeInStopMs !== null && report.bargeInStopMs < 1_000, "the interruption did not stop the agent"],
      [report.toolCalls >= 1, "no tool was called"],
      [report.endReason === "transferred", `the call ended with ${report.endReason}`]
    ]),
  ending: `Transferred to ${humanNumber}. All is well.`
}

export const inbound = traced("Demo.inbound")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service and the world around it …")
  const stage = yield* setStage(settings, lines)
  yield* say(`A caller phones ${stage.tenant.calledNumber}.\n`)
  yield* converse(stage, options, stage.call(callerScript(stage.speech)), expected).pipe(Effect.provide(stage.services))
})
