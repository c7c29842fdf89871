/** `parley demo`: a simulated caller phones an agent and speaks with it. Everything in between is the real service, with embedded defaults. */
import { Console, Effect } from "effect"
import type { Settings } from "../../config/Environment.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { ApiKeys } from "../../domain/people/access/ApiKey.ts"
import { script as callerScript } from "./caller.ts"
import { converse, type DemoOptions, type Expectation } from "./converse.ts"
import { known, lines } from "./dialogue.ts"
import { createKnowledge } from "./knowledge.ts"
import { furnish, keepAlive, sayHowToSignIn } from "./living.ts"
import { humanNumber } from "./organization.ts"
import { complaintsOf, unlessHeard } from "./report.ts"
import { type Stage, setStage } from "./stage.ts"
import { ask } from "./support/rest.ts"

const expected: Expectation = {
  complaints: (report) =>
    complaintsOf(report, [
      unlessHeard(report, Object.values(lines)),
      [report.bargeInStopMs !== null && report.bargeInStopMs < 1_000, "the interruption did not stop the agent"],
      [report.toolCalls >= 1, "no tool was called"],
      [
        report.transcript.some(({ role, text }) => role === "agent" && text.includes(known)),
        "the agent did not say what the knowledge base says"
      ],
      [report.sources.length > 0, "no answer has its source"],
      [report.endReason === "transferred", `the call ended with ${report.endReason}`]
    ]),
  ending: `Transferred to ${humanNumber}. All is well.`
}

/** From now on the agent looks things up. */
const giveKnowledge = Effect.fnUntraced(function* ({ baseUrl, tenant: { organizationId, agentId } }: Stage) {
  const scopes = ["knowledge:read", "knowledge:write", "voice:write"] as const
  const { secret: key } = yield* (yield* ApiKeys).create({ organizationId, name: "set-up", scopes })
  const knowledgeBases = [yield* createKnowledge({ baseUrl, key })]
  yield* ask({ baseUrl, key }, "PUT", `/api/voice-agents/${agentId}`, { knowledgeBases })
})

/** Furnishes the organization for the dashboard; calls go on after the first one. Returns what to say at the end. */
const live = Effect.fnUntraced(function* <A, E, R>(
  { baseUrl, world, tenant: { organizationId } }: Stage,
  call: Effect.Effect<A, E, R>
) {
  const setting = { baseUrl, organizationId, channel: world.channel }
  const furnished = yield* furnish(setting)
  return Effect.andThen(keepAlive(setting, furnished, call), sayHowToSignIn(baseUrl, furnished))
})

export const inbound = traced("Demo.inbound")(function* (settings: Settings, options: DemoOptions) {
  const say = options.json ? () => Effect.void : Console.log
  yield* say("Starting PostgreSQL, the service and the world around it …")
  const stage = yield* setStage(settings, lines)
  yield* giveKnowledge(stage).pipe(Effect.provide(stage.services))
  yield* say(`A caller phones ${stage.tenant.calledNumber}.\n`)
  const call = stage.call(callerScript(stage.speech))
  const told = options.keep ? yield* live(stage, call).pipe(Effect.provide(stage.services)) : undefined
  yield* converse(stage, options, call, expected, told).pipe(Effect.provide(stage.services))
})
