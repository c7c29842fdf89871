/** Whatever happens in a call, and whenever its engine is lost: what the sound has kept of it reads as the mind that was given to it. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as CheckpointSeal from "../../../../src/actors/voice/call/CheckpointSeal.ts"
import { Keeper, readKept } from "../../../../src/actors/voice/call/Keeper.ts"
import { type CallProgress, changeOf, mindOf, wholeOf } from "../../../../src/actors/voice/call/KeptMind.ts"
import { CallAudio } from "../../../../src/actors/voice/sound/CallAudio.ts"
import { LinkedCall } from "../../../../src/actors/voice/sound/link/LinkedCall.ts"
import { type CallInput, type CallState, initialCall, step } from "../../../../src/domain/voice/dialogue/Call.ts"
import type { TurnMark } from "../../../../src/domain/voice/dialogue/TurnMark.ts"
import { anyCallInput, drained, finished, likely, turn } from "../../../domain/voice/dialogue/callInputs.ts"
import { agentOf } from "../../../support/agent.ts"
import { setupOf } from "../engine/engine.ts"

const agent = agentOf()
const setup = setupOf("call_1")
const seal = CheckpointSeal.make("secret of the engines")

const welcomed: ReadonlyArray<CallInput> = [
  { _tag: "Answered" },
  drained(agent.disclosureText),
  drained(agent.welcomeMessage)
]

type Operation =
  | { readonly what: "input"; readonly input: CallInput }
  /** The caller says this, perhaps goes on, and hears an answer. The mark is of a guess. */
  | { readonly what: "turn"; readonly texts: ReadonlyArray<string>; readonly mark: TurnMark | "none" }
  /** Messages of tools and of people may be long. */
  | { readonly what: "long"; readonly characters: number }
  | { readonly what: "progress"; readonly change: Partial<CallProgress> }
  /** So many of the checkpoints under way arrive. */
  | { readonly what: "arrive"; readonly count: number }
  | { readonly what: "lost" }

const operations = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ what: fc.constant("input" as const), input: anyCallInput }) },
    {
      weight: 6,
      arbitrary: fc.record({
        what: fc.constant("turn" as const),
        texts: fc.array(fc.constantFrom("Hello", "And then?"), { minLength: 1, maxLength: 3 }),
        mark: fc.constantFrom<TurnMark | "none">("finished", "unfinished", "none")
      })
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant("long" as const), characters: fc.nat({ max: 9_000 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        what: fc.constant("progress" as const),
        change: fc.record(
          {
            sequence: fc.nat(9),
            tools: fc.constantFrom([], [{ id: "t1", name: "order_status", arguments: "{}" }]),
            passed: fc.array(fc.nat(3), { maxLength: 2 })
          },
          { requiredKeys: [] }
        )
      })
    },
    {
      weight: 6,
      arbitrary: fc.record({ what: fc.constant("arrive" as const), count: fc.integer({ min: 1, max: 20 }) })
    },
    { weight: 1, arbitrary: fc.record({ what: fc.constant("lost" as const) }) }
  ),
  { maxLength: 150 }
)

const newProgress = (): CallProgress => ({
  startedAt: 1_000,
  sequence: 1,
  toolCalls: 0,
  interruptions: 0,
  tools: [],
  passed: [],
  recording: ""
})

/** How often what is hard to get right has really happened. */
const seen = { losses: 0, wholes: 0, changes: 0, skipped: 0, guesses: 0, unfinished: 0, rewritten: 0 }

/** A call whose checkpoints are under way until they arrive at its sound, and whose engine may be lost. */
const keptCall = (takesChanges: boolean) => {
  const sound = new LinkedCall(1, "call_1", "MZ1")
  const audio = new CallAudio({
    streamSid: "MZ1",
    line: { send: () => undefined, close: () => undefined },
    agent,
    sink: sound,
    tell: sound.tell,
    now: () => 0
  })
  let state: CallState = initialCall(agent)
  let progress = newProgress()
  let underWay: Array<() => void> = []
  /** The mind of the newest checkpoint that has arrived. */
  let arrived: { readonly state: CallState; readonly progress: CallProgress } | undefined
  const send = (arrive: () => void) => {
    const mind = { state, progress: { ...progress } }
    underWay.push(() => {
      arrive()
      arrived = mind
    })
  }
  const newKeeper = () =>
    new Keeper(
      {
        news: 0,
        takesChanges,
        keep: (base, kept, consumed) => {
          seen.wholes++
          send(() => sound.keep(base, kept, consumed))
        },
        keepChange: (change, consumed) => {
          seen.changes++
          send(() => sound.keepChange(change, consumed))
        }
      },
      seal,
      { setup, agent }
    )
  let keeper = newKeeper()
  const settle = () => {
    const before = underWay.length
    keeper.settle(state, progress)
    if (underWay.length === before) seen.skipped++
  }
  const take = (input: CallInput) => {
    const { history } = state
    state = step(state, input)[0]
    if (state.guess !== undefined) seen.guesses++
    if (state.unfinished !== undefined) seen.unfinished++
    // The caller went on: the last message is another one.
    if (history.some((message, at) => message !== state.history[at])) seen.rewritten++
    settle()
  }
  settle()
  for (const input of welcomed) take(input)
  return (operation: Operation) => {
    switch (operation.what) {
      case "input":
        return take(operation.input)
      case "turn":
        for (const text of operation.texts) {
          take(likely(text))
          take({ _tag: "Judged", turn: state.turn, mark: operation.mark, silentMs: 0 })
          take(turn(text))
        }
        take(finished(state.turn))
        return take(drained("Some answer."))
      case "long": {
        const message = { role: "user" as const, content: "x".repeat(operation.characters) }
        return take({ _tag: "ToolExchange", messages: [message] })
      }
      case "progress":
        progress = Object.assign(progress, operation.change)
        return settle()
      case "arrive":
        for (const arrive of underWay.splice(0, operation.count)) arrive()
        return
      case "lost": {
        underWay = []
        expect(sound.canBeTakenOver).toBe(arrived !== undefined)
        if (arrived !== undefined) {
          seen.losses++
          const { base, state: parts } = sound.handOver(audio)
          expect(readKept(seal, base, parts)).toEqual({ setup, agent, ...arrived })
          state = arrived.state
          progress = { ...arrived.progress }
        }
        keeper = newKeeper()
        return settle()
      }
    }
  }
}

describe("what is kept of a call", () => {
  it("reads as the mind that was given last, whatever happened, wherever the link was lost, again and again", () => {
    fc.assert(
      fc.property(operations, fc.boolean(), (all, takesChanges) => {
        const play = keptCall(takesChanges)
        for (const operation of all) play(operation)
        play({ what: "arrive", count: Number.POSITIVE_INFINITY })
        play({ what: "lost" })
      }),
      { numRuns: 300 }
    )
    expect(Object.entries(seen).filter(([, times]) => times < 20)).toEqual([])
  })

  it("is refused when a part of it is missing, comes twice, or is not in its place", () => {
    const parts: Array<Uint8Array> = []
    let base: Uint8Array = new Uint8Array()
    const keeper = new Keeper(
      {
        news: 0,
        takesChanges: true,
        keep: (whole, part) => {
          base = whole
          parts.push(part)
        },
        keepChange: (part) => void parts.push(part)
      },
      seal,
      { setup, agent }
    )
    const state = initialCall(agent)
    for (let turn = 0; turn < 6; turn++) keeper.settle({ ...state, turn }, newProgress())
    const read = (kept: ReadonlyArray<Uint8Array>) => readKept(seal, base, Buffer.concat(kept))?.state.turn
    expect(read(parts)).toBe(5)
    // The newest may be lost with the link.
    expect(read(parts.slice(0, -1))).toBe(4)
    for (let at = 0; at < parts.length - 1; at++) {
      expect(read(parts.toSpliced(at, 1))).toBeUndefined()
      expect(read(parts.toSpliced(at, 0, parts[at]))).toBeUndefined()
      expect(read(parts.toSpliced(at, 2, parts[at + 1], parts[at]))).toBeUndefined()
    }
    expect(read([Buffer.concat(parts).subarray(0, -1)])).toBeUndefined()
    expect(read([])).toBeUndefined()
  })

  it("grows by what is new, however long the conversation is", () => {
    const history = Array.from({ length: 200 }, (_, at) => ({ role: "user" as const, content: `Sentence ${at}` }))
    const state = { ...initialCall(agent), history }
    const guess = {
      turn: 1,
      text: "Hello",
      history: [...history, { role: "user" as const, content: "Hello" }],
      outcomes: []
    }
    const before = { state, progress: newProgress() }
    const change = changeOf({ ...before, state: { ...state, guess } }, before) ?? {}
    expect(JSON.stringify(change).length).toBeLessThan(150)
    expect(mindOf([wholeOf(before), change])?.state.guess).toEqual(guess)
  })
})
