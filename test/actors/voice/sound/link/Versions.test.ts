/** Sound and mind of two versions of this program. */
import { describe, expect, it } from "vitest"
import { CallAudio } from "../../../../../src/actors/voice/sound/CallAudio.ts"
import { type LinkedSound, MindEnd } from "../../../../../src/actors/voice/sound/link/MindEnd.ts"
import { SoundEnd } from "../../../../../src/actors/voice/sound/link/SoundEnd.ts"
import { versions } from "../../../../../src/actors/voice/sound/link/SoundProtocol.ts"
import { agentOf } from "../../../../support/agent.ts"

/** The sound of a call as its mind knows it, when the process with the sound speaks these versions. */
const soundThatSpeaks = async (spoken: { readonly lowest: number; readonly highest: number }) => {
  const sounds: Array<LinkedSound> = []
  const common = { id: "one", now: () => 0, later: setImmediate, schedule: setImmediate }
  const sound = new SoundEnd({
    ...common,
    versions: spoken,
    write: (batch) => {
      setImmediate(() => mind.receive(batch))
      return true
    },
    onError: (_, error) => {
      throw error
    }
  })
  const mind: MindEnd = new MindEnd({
    ...common,
    write: (batch) => {
      setImmediate(() => sound.receive(batch))
      return true
    },
    claimed: (_, claimed) => {
      sounds.push(claimed)
      return {
        tell: () => undefined,
        sink: { hear: () => undefined, pause: () => undefined },
        lineClosed: () => undefined,
        audioFailed: () => undefined,
        lost: () => undefined
      }
    }
  })
  sound.claim({
    callId: "call_1",
    streamSid: "MZ1",
    at: 0,
    make: (tell, sink) =>
      new CallAudio({
        streamSid: "MZ1",
        line: { send: () => undefined, close: () => undefined },
        agent: agentOf(),
        sink,
        tell,
        now: () => 0
      })
  })
  await expect.poll(() => sounds.length).toBe(1)
  return sounds[0]
}

describe("a checkpoint", () => {
  it("says what has changed where that is known, and all of it to a process with the sound that is a version older", async () => {
    expect((await soundThatSpeaks(versions)).takesChanges).toBe(true)
    expect((await soundThatSpeaks({ lowest: 1, highest: 2 })).takesChanges).toBe(false)
  })
})
