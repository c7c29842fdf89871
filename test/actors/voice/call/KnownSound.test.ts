/** What the mind makes of the sound's events, also of those that crossed its commands. */
import { describe, expect, it } from "vitest"
import { KnownSound } from "../../../../src/actors/voice/call/KnownSound.ts"
import { Verdict } from "../../../../src/actors/voice/call/Verdict.ts"
import type { Heard, SoundCommand } from "../../../../src/actors/voice/sound/CallSound.ts"
import type { CallInput } from "../../../../src/domain/voice/dialogue/Call.ts"

/** A mind whose sound answers only what the test lets it answer. */
const mind = () => {
  const commands: Array<SoundCommand> = []
  const inputs: Array<CallInput> = []
  const sound = new KnownSound({
    sound: {
      run: (command) => void commands.push(command),
      voicedAt: 0,
      quietMs: 0,
      unplayedMs: 0
    },
    offer: (input) => void inputs.push(input),
    now: () => 0
  })
  const heard = (changes: Partial<Heard>): Heard => ({
    epoch: sound.epoch,
    seen: commands.length,
    clauses: 0,
    text: "",
    startMs: 0,
    endMs: 0,
    ...changes
  })
  return { sound, commands, inputs, heard }
}

describe("what the mind knows of its sound", () => {
  it("text without a moderation verdict, or that was dropped, does not count as unheard", () => {
    const { sound, inputs, heard } = mind()
    const epoch = sound.think(1, { held: false })
    const [good, bad, unknown] = [new Verdict(), new Verdict(), new Verdict()]
    sound.plan("We are open.", epoch)
    sound.plan("Also on Sundays.", epoch, { verdict: good })
    const dropped = sound.plan("Rude words.", epoch, { verdict: bad })
    sound.plan("Not judged.", epoch, { verdict: unknown })
    good.give(true)
    bad.give(false)
    if (dropped !== undefined) sound.drop(dropped)
    sound.take({ _tag: "BargedIn", heard: heard({ clauses: 3, text: "We are" }), meant: true })
    const spoken = { text: "We are", unheard: "open. Also on Sundays.", startMs: 0, endMs: 0 }
    expect(inputs).toEqual([{ _tag: "BargedIn", spoken, meant: true }])
  })

  it("nothing more is planned once the agent is silenced, by either side, and no epoch ends twice", () => {
    const { sound, commands, heard } = mind()
    const epoch = sound.think(1, { held: false })
    sound.silence()
    expect(sound.plan("Late.", epoch)).toBeUndefined()
    expect(commands.map(({ _tag }) => _tag)).toEqual(["Think", "Silence"])
    // The caller had interrupted before the command came.
    sound.take({ _tag: "BargedIn", heard: heard({ epoch, text: "We" }), meant: true })
    sound.take({ _tag: "Silenced", heard: heard({ epoch }), late: true })
    expect(sound.epoch).toBe(epoch + 1)
  })

  it("an agent that has more to say is not silent when the news comes that it was", () => {
    const { sound, commands, inputs, heard } = mind()
    sound.plan("Hello.", sound.epoch, { line: "interruptible" })
    const seen = commands.length
    sound.plan("Are you there?", sound.epoch, { line: "interruptible" })
    sound.take({ _tag: "Drained", heard: heard({ seen, clauses: 1, text: "Hello." }) })
    sound.take({ _tag: "Drained", heard: heard({ clauses: 1, text: "Are you there?" }) })
    expect(inputs).toMatchObject([
      { _tag: "HeardSoFar", spoken: { text: "Hello." } },
      { _tag: "Drained", spoken: { text: "Are you there?" } }
    ])
  })

  it("speech that fails after the caller has interrupted it is not missed", () => {
    for (const late of [true, false]) {
      const { sound, inputs, heard } = mind()
      const { epoch } = sound
      sound.lose()
      sound.take({ _tag: "Silenced", heard: heard({ epoch }), late })
      expect(inputs.map(({ _tag }) => _tag)).toEqual(late ? [] : ["SpeechLost"])
    }
  })

  it("a mind that takes over gives the rest of the clause whose sound was coming, and numbers its own after those before", () => {
    const sound = new KnownSound({
      sound: { run: () => undefined, voicedAt: 0, quietMs: 0, unplayedMs: 0 },
      offer: () => undefined,
      now: () => 0,
      known: {
        epoch: 2,
        commands: 9,
        clauses: [
          { clause: 4, text: "We are open.", bytes: 800, whole: true },
          { clause: 5, text: "Until six.", bytes: 320, whole: false },
          { clause: 6, text: "Goodbye.", bytes: 0, whole: false }
        ],
        goesOn: true
      }
    })
    expect(sound.unfinished).toMatchObject({ epoch: 2, clause: 5, text: "Until six.", sounded: 320 })
    const verdict = new Verdict()
    expect(sound.plan("Goodbye.", 2, { verdict })?.clause).toBe(7)
    expect(sound.passed).toEqual([])
    verdict.give(true)
    expect(sound.passed).toEqual([7])
  })
})
