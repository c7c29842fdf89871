/**
 * The port between the two halves of a call. The sound holds the line: it hears, times turns, and plays what it is given. The mind (`../call`) thinks:
 * it tells the sound what to do by commands, and learns what happened from events. No command has an answer; what follows from one comes as an event,
 * never before the command returns. So the halves may be in one process (`SoundInside`) or in two.
 *
 * Each side may be ahead of the other. Therefore the agent's speech has epochs: one ends whenever the agent is silenced, by either side. What belongs
 * to an epoch that is over is ignored. And an event that says what was heard names the last command that the sound had taken.
 */
import type { Said } from "../../../domain/voice/dialogue/Call.ts"

/** What the mind tells the sound. */
export type SoundCommand =
  /** The model will reply to `turn`; `Plan` follows until `ReplyOver`. `held`: the reply is to a guess, and is kept back until `Commit`. */
  | { readonly _tag: "Think"; readonly epoch: number; readonly turn: number; readonly held: boolean }
  /** A clause to say after those planned before. `line`: it is a fixed line, which the caller may interrupt or not; else it belongs to the reply. */
  | {
      readonly _tag: "Plan"
      readonly epoch: number
      readonly clause: number
      readonly text: string
      readonly line?: "interruptible" | "uninterruptible"
    }
  /** Audio of a planned clause. A clause that has sound may be heard. */
  | { readonly _tag: "Sound"; readonly epoch: number; readonly clause: number; readonly audio: Uint8Array }
  /** The clause has all its audio. */
  | { readonly _tag: "End"; readonly epoch: number; readonly clause: number }
  /** The clause, which has no audio, may not be heard. */
  | { readonly _tag: "Drop"; readonly epoch: number; readonly clause: number }
  /** The guess was right: the reply may be heard. */
  | { readonly _tag: "Commit"; readonly epoch: number }
  /** The model adds no more clauses. */
  | { readonly _tag: "ReplyOver"; readonly epoch: number }
  /** The agent falls silent, and the epoch is over; `Silenced` follows. */
  | { readonly _tag: "Silence"; readonly epoch: number }
  /** Speech-to-text answers a pause of the caller. Empty: nothing was said. Speech before `understood` is not asked for again. */
  | { readonly _tag: "Transcript"; readonly text: string; readonly understood: number }
  /** Speech-to-text has to hear the caller's speech from this position on again: a new stream of it begins. */
  | { readonly _tag: "Replay"; readonly from: number }
  /** A turn that says `text` is finished: it is over after the least silence. */
  | { readonly _tag: "EndTurnSoon"; readonly text: string }
  /** Waits until the caller has said nothing for so long; `SilenceElapsed` follows. A wait that runs keeps its deadline. */
  | { readonly _tag: "ArmSilence"; readonly ms: number }
  | { readonly _tag: "DisarmSilence" }
  /** Gives the caller the longest silence to go on with `turn`; `WaitOver` follows. */
  | { readonly _tag: "AwaitMore"; readonly turn: number }
  /** Waits until the caller is not in the middle of something; `CallerPaused` follows. */
  | { readonly _tag: "AwaitPause" }
  /** What the agent may murmur while the caller speaks for long. */
  | { readonly _tag: "ListeningSounds"; readonly sounds: ReadonlyArray<Uint8Array> }
  /** The conversation is over: speech-to-text is asked for the last words. `LastWords` follows when they are there. */
  | { readonly _tag: "Close" }
  /** What was said or pressed and not told yet is told as a turn; `Rest` follows. */
  | { readonly _tag: "TakeRest" }
  | { readonly _tag: "HangUp" }
  /** People listen in from now on, or nobody does any more. */
  | { readonly _tag: "Listen"; readonly on: boolean }
  /** A person talks with the caller from now on, or the agent does again. `PersonLost` follows when nothing comes from the person any more. */
  | { readonly _tag: "Person"; readonly on: boolean }
  /** 20 ms of the voice of the person who has the call. */
  | { readonly _tag: "PersonFrame"; readonly audio: Uint8Array }

/** How far the agent was heard. Times are milliseconds of the call. */
export interface Heard {
  readonly epoch: number
  /** How many commands the sound had taken: the mind may have planned more since. */
  readonly seen: number
  /** How many clauses were planned then, since the agent last fell silent. */
  readonly clauses: number
  /** What was heard of them, up to the last whole word. */
  readonly text: string
  readonly startMs: number
  readonly endMs: number
}

/** The steps of an answer, on the sound's clock. */
export interface TurnStamps {
  readonly turn: number
  readonly voicedAt: number
  readonly transcriptAt: number
  readonly decisionAt: number
  readonly firstAudioAt: number
  readonly firstFrameAt: number
}

/** What the sound tells the mind. */
export type SoundEvent =
  | { readonly _tag: "TurnLikely"; readonly text: string }
  | ({ readonly _tag: "TurnEnded" } & Said)
  | ({ readonly _tag: "Overheard" } & Said)
  | { readonly _tag: "TurnLost" }
  /** The caller silenced the agent, by an interruption (`meant`) or by going on with the turn. The epoch is over. */
  | { readonly _tag: "BargedIn"; readonly heard: Heard; readonly meant: boolean }
  /** Everything planned was heard. */
  | { readonly _tag: "Drained"; readonly heard: Heard }
  /** The answer to `Silence`. `late`: that epoch was over already, and an event before this one told what was heard. */
  | { readonly _tag: "Silenced"; readonly heard: Heard; readonly late: boolean }
  /** The first frame of an answer went out. */
  | { readonly _tag: "FirstFrame"; readonly stamps: TurnStamps }
  | { readonly _tag: "SilenceElapsed" }
  | { readonly _tag: "WaitOver"; readonly turn: number }
  | { readonly _tag: "CallerPaused" }
  | { readonly _tag: "LastWords" }
  /** Nothing has come from the person who has the call for some seconds. */
  | { readonly _tag: "PersonLost" }
  /** Counts of the whole call. Talk is in milliseconds. */
  | {
      readonly _tag: "Rest"
      readonly falseInterruptions: number
      readonly callerTalkMs: number
      readonly agentTalkMs: number
    }

/** Where the caller's speech goes, beside the events. A position counts the bytes of speech since the beginning of the call. */
export interface SpeechSink {
  /**
   * Mu-law bytes of the caller's speech from `position` on; the array is reused. `again`: the mind asked for speech from here on, and what has come since
   * was said before that.
   */
  readonly hear: (audio: Uint8Array, position: number, again: boolean) => void
  /** The caller paused at `position`: ask for the transcript now. */
  readonly pause: (position: number) => void
  /**
   * While people listen: 20 ms of both sides together as the caller hears them, and of the caller alone. The arrays are reused.
   * Absent: nobody can listen.
   */
  readonly monitor?: (both: Uint8Array, caller: Uint8Array) => void
}

export interface CallSound {
  /** Runs a command. */
  readonly run: (command: SoundCommand) => void
  /** When the caller was last heard, as far as this process knows. Monotonic milliseconds. */
  readonly voicedAt: number
  /** Milliseconds for which the agent was not heard and has nothing planned to say. */
  readonly quietMs: number
  /** Milliseconds of the agent's sound that were sent and not played yet. */
  readonly unplayedMs: number
}
