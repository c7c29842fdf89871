/** `Listening` with what a call's sound keeps of the caller's speech. */
import * as Listening from "../../src/actors/voice/call/Listening.ts"
import { KeptSpeech } from "../../src/actors/voice/sound/KeptSpeech.ts"
import { agentOf } from "./agent.ts"

export const makeHearing = (transcript: (text: string) => void, now: () => number) => {
  const kept = new KeptSpeech()
  const listening = Listening.make({
    agent: agentOf(),
    transcript: (text, understood) => {
      kept.forget(understood)
      transcript(text)
    },
    replay: (from) => kept.replay(from, listening.sink.hear),
    now
  })
  const hear = (audio: Uint8Array) => {
    const position = kept.end
    kept.push(audio)
    listening.sink.hear(audio, position, false)
  }
  return { ...listening, kept, hear, pause: () => listening.sink.pause(kept.end) }
}
