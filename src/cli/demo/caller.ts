/** The demo's caller: real synthesized speech, at least six turns, one interruption, one silence, a human at the end. */
import type { CallerApi } from "../../../simulators/telephone/Caller.ts"
import type { Spoken } from "../../../simulators/voice/Voice.ts"
import type { lines } from "./dialogue.ts"

export type Speech = Readonly<Record<keyof typeof lines, Spoken>>

/** Quiet after which the caller believes that the agent has finished, in milliseconds. */
const finished = 450

export const script = (speech: Speech) => async (caller: CallerApi) => {
  const say = (line: keyof typeof lines) => caller.say(speech[line].samples)
  const listen = () => caller.waitForAgentToFinish(finished)
  // Disclosure and welcome.
  await listen()
  await say("hours")
  await caller.waitForAgentToSpeak()
  await caller.sleep(1_900)
  await say("interruption")
  await listen()
  await say("order")
  await listen()
  // Says nothing until the agent asks.
  await caller.waitForAgentToSpeak(10_000)
  await listen()
  await say("silent")
  await listen()
  await say("thanks")
  await listen()
  await say("human")
}
