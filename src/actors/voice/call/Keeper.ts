/**
 * Keeps the mind of a call where its sound is, so that another engine can go on with it: after each step of the reducer, and before anything that must
 * not be done twice. A checkpoint is of a moment at which everything that the sound has told is in the state.
 */
import { Deferred, Effect } from "effect"
import type { ToolCall } from "../../../domain/ai/providers/Reasoning.ts"
import type { CallState } from "../../../domain/voice/dialogue/Call.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import type { CallSetup } from "../../../domain/voice/engine/CallSetup.ts"
import type { CheckpointSeal } from "./CheckpointSeal.ts"

/** What the mind of a call counts beside its state. */
export interface CallProgress {
  /** When the call began, monotonic milliseconds of this machine. */
  readonly startedAt: number
  /** Number of the next utterance. */
  sequence: number
  toolCalls: number
  interruptions: number
  /** The tools that were asked and have not answered. */
  tools: ReadonlyArray<ToolCall>
  /** Clauses of the model that may be heard, by their numbers. */
  passed: ReadonlyArray<number>
  /** The file that the call is recorded to; empty: none. */
  readonly recording: string
}

/** What does not change during a call. */
export interface KeptBase {
  readonly version: typeof version
  readonly setup: CallSetup
  readonly agent: AgentConfig
}
export interface KeptMind {
  readonly state: Omit<CallState, "agent">
  readonly progress: CallProgress
}

/** Checkpoints of another version are not read. */
const version = 2

/** Where checkpoints go. */
export interface KeepingSound {
  /** How many news of the call were told. */
  readonly news: number
  readonly keep: (base: Uint8Array, state: Uint8Array, consumed: number, kept?: () => void) => void
}

const nothing: Uint8Array = new Uint8Array()
const lookAgain = "1 millis"

export class Keeper {
  readonly #sound: KeepingSound
  readonly #seal: CheckpointSeal
  #base: Uint8Array
  #consumed = 0
  /** An input is being worked off, so that state and news do not belong together. */
  #busy = true

  constructor(sound: KeepingSound, seal: CheckpointSeal, { setup, agent }: Omit<KeptBase, "version">) {
    this.#sound = sound
    this.#seal = seal
    const base: KeptBase = { version, setup, agent }
    this.#base = seal.seal(JSON.stringify(base))
  }

  /** The next input is taken. */
  begin(): void {
    this.#busy = true
  }
  /** Everything that was told is in this state. */
  settle(state: CallState, progress: CallProgress): void {
    this.#consumed = this.#sound.news
    this.#busy = false
    this.#keep(state, progress)
  }
  /** Keeps the call with these tools under way. Returns when it is kept: whoever stood still meanwhile, and was replaced, waits for ever. */
  confirm(settled: () => CallState, progress: CallProgress): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.#busy) return Effect.andThen(Effect.sleep(lookAgain), this.confirm(settled, progress))
      const kept = Deferred.makeUnsafe<void>()
      this.#keep(settled(), progress, () => Deferred.doneUnsafe(kept, Effect.void))
      return Deferred.await(kept)
    })
  }

  #keep({ agent: _, ...state }: CallState, progress: CallProgress, kept?: () => void): void {
    const mind: KeptMind = { state, progress }
    this.#sound.keep(this.#base, this.#seal.seal(JSON.stringify(mind)), this.#consumed, kept)
    this.#base = nothing
  }
}

/** Reads what was kept. Undefined when it is of another version, or was sealed with another secret. */
export const readKept = (
  seal: CheckpointSeal,
  base: Uint8Array,
  state: Uint8Array
): (Omit<KeptBase, "version"> & { readonly state: CallState; readonly progress: CallProgress }) | undefined => {
  const [openedBase, openedState] = [seal.open(base), seal.open(state)]
  if (openedBase === undefined || openedState === undefined) return undefined
  // Sealed: whoever wrote it has the types.
  const kept: KeptBase = JSON.parse(openedBase)
  if (kept.version !== version) return undefined
  const mind: KeptMind = JSON.parse(openedState)
  const { setup, agent } = kept
  return { setup, agent, progress: mind.progress, state: { ...initial, ...mind.state, agent } }
}

/** JSON leaves out what is undefined. */
const initial = {
  guess: undefined,
  unfinished: undefined,
  awaited: undefined,
  held: undefined,
  cutOff: undefined,
  closing: undefined,
  person: undefined
}
