/** Plays the caller of a dialogue, and notes when what was said. */
import type { LineEvent } from "../../simulators/telephone/CallEvents.ts"
import type { CallerApi } from "../../simulators/telephone/Caller.ts"
import type { Spoken } from "../../simulators/voice/Voice.ts"
import type { Dialogue, Parts, Step } from "./Dialogue.ts"
import { isText } from "./Dialogue.ts"
import type { Span, SpokenPart } from "./Observed.ts"
import { soundOf } from "./Sounds.ts"

/** Samples quieter than this are the silence around speech. */
const voicedLevel = 300
/** A caller takes the agent for finished after this much quiet; after a disturbance an agent may take a while to go on. */
const finishedMs = 900
const finishedAfterDisturbanceMs = 2_600
/** A caller gives up waiting for an answer and goes on. */
const patienceMs = 9_000
const longestAnswerMs = 20_000
/** How long the caller listens whether the agent answers a noise. */
const listenMs = 2_000

/** A happening as the player knows it: whether the line was intelligible is found out later. */
export type Played =
  | { readonly _tag: "Turn"; readonly parts: ReadonlyArray<SpokenPart>; readonly interrupts: boolean }
  | { readonly _tag: "Disturbance"; readonly span: Span; readonly over: boolean }
  | { readonly _tag: "Quiet"; readonly span: Span }

/** Follows from the line's events whether the agent is speaking. */
const followAgent = () => {
  let [startedMs, endedMs, speaking] = [-1, -1, false]
  return {
    notice: (event: LineEvent) => {
      if (event.type === "agentSpeechStarted") [startedMs, speaking] = [event.atMs, true]
      if (event.type === "agentSpeechEnded") [endedMs, speaking] = [event.atMs, false]
    },
    get speaking() {
      return speaking
    },
    get startedMs() {
      return startedMs
    },
    /** Quiet since then, ms; none while the agent speaks, or when it has not spoken after `sinceMs`. */
    quietMs: (nowMs: number, sinceMs: number) => (speaking || endedMs <= sinceMs ? 0 : nowMs - endedMs)
  }
}

const voicedSpan = (samples: Int16Array): { readonly from: number; readonly to: number } => {
  const loud = (sample: number) => Math.abs(sample) > voicedLevel
  return { from: Math.max(0, samples.findIndex(loud)), to: samples.findLastIndex(loud) + 1 || samples.length }
}

export const makePlayer = (dialogue: Dialogue, speech: (text: string) => Spoken) => {
  const agent = followAgent()
  const played: Array<Played> = []
  let now = () => 0

  const script = async (caller: CallerApi): Promise<void> => {
    now = caller.now
    let lastSaidMs = -1
    let patientMs = finishedMs
    /** Nothing is expected of the agent before the next step. */
    let free = false

    const until = async (holds: () => boolean, limitMs = patienceMs) => {
      const giveUpMs = caller.now() + limitMs
      while (!holds() && caller.now() < giveUpMs) await caller.sleep(20)
    }
    /** Gives the time on the line of what is voiced of it. */
    const utter = async (samples: Int16Array): Promise<Span> => {
      const { from, to } = voicedSpan(samples)
      const atMs = caller.now()
      await caller.say(samples)
      lastSaidMs = caller.now()
      return { startMs: atMs + from / 8, endMs: atMs + to / 8 }
    }
    const utterParts = async (parts: Parts): Promise<ReadonlyArray<SpokenPart>> => {
      const spoken: Array<SpokenPart> = []
      for (const part of parts) {
        if (isText(part)) spoken.push({ text: part, ...(await utter(speech(part).samples)) })
        // The silence at the end of the piece before is part of the pause.
        else await until(() => caller.now() >= (spoken.at(-1)?.endMs ?? caller.now()) + part)
      }
      return spoken
    }
    const agentFinished = async () => {
      await until(() => agent.speaking || agent.quietMs(caller.now(), lastSaidMs) > 0)
      await until(() => agent.quietMs(caller.now(), lastSaidMs) >= patientMs, longestAnswerMs)
    }
    const intoAnswer = async (afterMs: number) => {
      await until(() => agent.startedMs > lastSaidMs)
      await until(() => caller.now() >= agent.startedMs + afterMs)
    }
    const samplesOf = (what: string | { readonly sound: Parameters<typeof soundOf>[0] }) =>
      typeof what === "string" ? speech(what).samples : soundOf(what.sound)

    const act = async (step: Step): Promise<void> => {
      switch (step._tag) {
        case "Turn":
        case "Interrupt": {
          if (step._tag === "Interrupt") await intoAnswer(step.afterMs)
          else if (!free) await agentFinished()
          const interrupts = agent.speaking
          const parts = await utterParts(step.parts)
          played.push({ _tag: "Turn", parts, interrupts })
          patientMs = finishedMs
          free = false
          return
        }
        case "Over": {
          await intoAnswer(step.afterMs)
          const over = agent.speaking
          const span = await utter(samplesOf(step.what))
          // An agent that is silent already cannot be disturbed.
          if (over) played.push({ _tag: "Disturbance", span, over })
          patientMs = finishedAfterDisturbanceMs
          return
        }
        case "Between": {
          await agentFinished()
          await caller.sleep(step.afterMs)
          const over = agent.speaking
          const span = await utter(samplesOf(step.what))
          if (!over) played.push({ _tag: "Disturbance", span, over })
          await caller.sleep(listenMs)
          free = !agent.speaking
          return
        }
        case "Quiet": {
          await agentFinished()
          const startMs = caller.now()
          await until(() => agent.startedMs > startMs)
          await until(() => agent.quietMs(caller.now(), startMs) >= patientMs)
          played.push({ _tag: "Quiet", span: { startMs, endMs: caller.now() } })
          free = true
          return
        }
      }
    }

    for (const step of dialogue.steps) await act(step)
    await agentFinished()
    caller.hangUp()
  }

  return {
    script,
    onEvent: agent.notice,
    played,
    /** The clock of the call; 0 before it is answered. */
    now: () => now()
  }
}
