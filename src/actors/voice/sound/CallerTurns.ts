/** What follows from each event of the caller's turn: the agent is softer, pauses or makes a listening sound, and the mind of the call is told. Synchronous. */
import type { TalkTime } from "../../../audio/frames/TalkTime.ts"
import type { Turn } from "../../../audio/turn/Turn.ts"
import { TurnEvent } from "../../../audio/turn/TurnEvent.ts"
import type { AgentSpeech } from "./AgentSpeech.ts"
import type { CallerSpeech } from "./CallerSpeech.ts"
import type { SoundEvent } from "./CallSound.ts"
import { ListeningSounds } from "./ListeningSounds.ts"
import type { TurnStamper } from "./TurnStamper.ts"

export interface CallerTurnsOptions {
  readonly turn: Turn
  readonly caller: CallerSpeech
  readonly agent: AgentSpeech
  readonly stamper: TurnStamper
  readonly talk: TalkTime
  readonly tell: (event: SoundEvent) => void
  /** How many commands of the mind were taken. */
  readonly seen: () => number
}

export class CallerTurns {
  /** Sounds that softened or paused the agent and were no interruption. */
  falseInterruptions = 0
  /** The agent's own while the caller speaks. */
  readonly listening = new ListeningSounds()
  private readonly options: CallerTurnsOptions

  constructor(options: CallerTurnsOptions) {
    this.options = options
  }

  /** Does what follows from an event. */
  noticed(event: TurnEvent): void {
    const { turn, caller, agent, stamper, tell } = this.options
    switch (event) {
      case TurnEvent.SpeechStarted:
        if (!caller.begin()) this.listen()
        return
      case TurnEvent.AgentSoftened:
        caller.begin()
        agent.soften()
        return
      case TurnEvent.AgentPaused:
        caller.begin()
        agent.pause()
        return
      case TurnEvent.Interrupted:
      case TurnEvent.Superseded:
        stamper.cancel()
        this.bargedIn(event === TurnEvent.Interrupted)
        return
      case TurnEvent.AgentResumed:
        this.falseInterruptions++
        if (!turn.hasText) caller.forget()
        agent.resume()
        return
      case TurnEvent.SpeechPaused:
        caller.askForWords()
        return
      case TurnEvent.Overheard:
        tell({ _tag: "Overheard", text: turn.takeOverheard(), ...caller.spoken() })
        return
      case TurnEvent.TurnLikely:
        tell({ _tag: "TurnLikely", text: turn.text })
        return
      case TurnEvent.TurnEnded:
        this.ended()
        return
      case TurnEvent.TurnLost:
        caller.forget()
        tell({ _tag: "TurnLost" })
        return
    }
  }

  /** The turn is over: the mind is told what was said in it. */
  ended(): void {
    const { turn, caller, stamper, talk, tell } = this.options
    this.listening.turnEnded(talk.callerMs)
    const text = turn.takeText()
    stamper.decided(caller.voicedAt, caller.wordsAt)
    tell({ _tag: "TurnEnded", text, ...caller.spoken() })
  }

  /** Silences the agent. `meant`: the caller interrupted it. */
  bargedIn(meant: boolean): void {
    const { agent, tell, seen } = this.options
    tell({ _tag: "BargedIn", heard: { ...agent.silence(), seen: seen() }, meant })
  }

  /** The caller goes on after a pause: plays a listening sound when the last one was long ago. */
  private listen(): void {
    const { turn, agent, talk } = this.options
    const sound = turn.agent === "silent" ? this.listening.next(talk.callerMs) : undefined
    if (sound !== undefined) agent.murmur(sound)
  }
}
