/** Caller scripts that several tests use. */
import type { CallerScript } from "../../simulators/telephone/Caller.ts"

/** Says one sentence after the other, each when the agent has finished, hears the last answer and hangs up. */
export const saying =
  (...lines: ReadonlyArray<Int16Array>): CallerScript =>
  async (caller) => {
    for (const line of lines) {
      await caller.waitForAgentToFinish()
      await caller.say(line)
    }
    await caller.waitForAgentToFinish()
    caller.hangUp()
  }

/** Asks, makes this sound 1.5 s into the answer, waits until the agent has been quiet for `quietMs`, and hangs up. */
export const speakingOver =
  (question: Int16Array, sound: Int16Array, quietMs?: number): CallerScript =>
  async (caller) => {
    await caller.waitForAgentToFinish()
    await caller.say(question)
    await caller.waitForAgentToSpeak()
    await caller.sleep(1_500)
    await caller.say(sound)
    await caller.waitForAgentToFinish(quietMs)
    caller.hangUp()
  }
