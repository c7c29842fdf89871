/**
 * Keeps the mind of a call where its sound is, so that another engine can go on with it: after each step of the reducer, and before anything that must
 * not be done twice. A checkpoint is of a moment at which everything that the sound has told is in the state. The first has all of it; those that follow
 * say what has changed, until that is as much again.
 */
import { Deferred, Effect } from "effect"
import type { CallState } from "../../../domain/voice/dialogue/Call.ts"
import type { AgentConfig } from "../../../domain/voice/engine/AgentConfig.ts"
import type { CallSetup } from "../../../domain/voice/engine/CallSetup.ts"
import { mostKeptBytes } from "../sound/link/LinkedCall.ts"
import type { CheckpointSeal } from "./CheckpointSeal.ts"
import { type CallProgress, changeOf, type KeptMind, type KeptPart, mayWait, mindOf, wholeOf } from "./KeptMind.ts"

/** What does not change during a call. */
export interface KeptBase {
  readonly version: typeof checkpointVersion
  readonly setup: CallSetup
  readonly agent: AgentConfig
}

/** Checkpoints of another version are not read. */
export const checkpointVersion = 3

/** With so many changes, or so many bytes of them, all is kept anew: another engine reads each of them, and the sound keeps them. */
const mostChanges = 64
const mostChangedBytes = 16 * 1_024

/** Where checkpoints go. */
export interface KeepingSound {
  /** How many news of the call were told. */
  readonly news: number
  /** Whether it adds changes to what it keeps. If not, all is kept each time. */
  readonly takesChanges: boolean
  readonly keep: (base: Uint8Array, state: Uint8Array, consumed: number, kept?: () => void) => void
  readonly keepChange: (change: Uint8Array, consumed: number, kept?: () => void) => void
}

const nothing: Uint8Array = new Uint8Array()
const lookAgain = "1 millis"

/** A part is sealed with its number, so that one that is missing, or not in its place, is found out. */
type Numbered = KeptPart & { readonly number: number }

const lengthBytes = 4
/** Parts are kept one after the other, each behind its length. */
const behindLength = (sealed: Uint8Array): Uint8Array => {
  const part = Buffer.allocUnsafe(lengthBytes + sealed.length)
  part.writeUInt32LE(sealed.length)
  part.set(sealed, lengthBytes)
  return part
}
/** Undefined when they are cut off. */
const partsIn = (kept: Uint8Array): ReadonlyArray<Uint8Array> | undefined => {
  const bytes = Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength)
  const parts: Array<Uint8Array> = []
  for (let at = 0; at < bytes.length; ) {
    const from = at + lengthBytes
    if (from > bytes.length) return undefined
    at = from + bytes.readUInt32LE(at)
    if (at > bytes.length) return undefined
    parts.push(bytes.subarray(from, at))
  }
  return parts
}

export class Keeper {
  readonly #sound: KeepingSound
  readonly #seal: CheckpointSeal
  #base: Uint8Array
  #consumed = 0
  /** An input is being worked off, so that state and news do not belong together. */
  #busy = true
  /** What was given to the sound. */
  #kept: KeptMind | undefined
  #keptConsumed = 0
  #parts = 0
  #changes = 0
  #changedBytes = 0
  #baseBytes: number
  #wholeBytes = 0
  /** The sound has kept the call once. */
  #isThere = false

  constructor(sound: KeepingSound, seal: CheckpointSeal, { setup, agent }: Omit<KeptBase, "version">) {
    this.#sound = sound
    this.#seal = seal
    const base: KeptBase = { version: checkpointVersion, setup, agent }
    this.#base = seal.seal(JSON.stringify(base))
    this.#baseBytes = this.#base.length
  }

  /** Whether another engine could go on with the call. New: it will be able to within a moment. */
  get standing(): "new" | "kept" | "too large" {
    if (this.#baseBytes + this.#wholeBytes + this.#changedBytes > mostKeptBytes) return "too large"
    return this.#isThere ? "kept" : "new"
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
    const mind: KeptMind = { state, progress: { ...progress } }
    const before = this.#before
    if (before === undefined) this.#keepWhole(mind, kept)
    else this.#keepChange(mind, before, kept)
  }

  #keepWhole(mind: KeptMind, kept: (() => void) | undefined): void {
    this.#changes = 0
    this.#changedBytes = 0
    this.#kept = mind
    this.#keptConsumed = this.#consumed
    const whole = this.#sealed(wholeOf(mind))
    this.#wholeBytes = whole.length
    this.#sound.keep(this.#base, whole, this.#consumed, this.#isThere ? kept : () => this.#arrived(kept))
    this.#base = nothing
  }

  #keepChange(mind: KeptMind, before: KeptMind, kept: (() => void) | undefined): void {
    const part = changeOf(mind, before)
    const isTold = this.#consumed === this.#keptConsumed && kept === undefined
    if (isTold && (part === undefined || mayWait(part))) return
    this.#keptConsumed = this.#consumed
    // What is kept already is kept for this moment, too.
    const change = part === undefined ? nothing : this.#sealed(part)
    if (part !== undefined) {
      this.#kept = mind
      this.#changes++
      this.#changedBytes += change.length
    }
    this.#sound.keepChange(change, this.#consumed, kept)
  }

  #arrived(kept: (() => void) | undefined): void {
    this.#isThere = true
    kept?.()
  }

  /** What the next part is a change of; undefined when it is to be a whole one. */
  get #before(): KeptMind | undefined {
    const many = this.#changes >= mostChanges || this.#changedBytes >= mostChangedBytes
    return many || !this.#sound.takesChanges ? undefined : this.#kept
  }

  #sealed(part: KeptPart): Uint8Array {
    const numbered: Numbered = { number: this.#parts++, ...part }
    return behindLength(this.#seal.seal(JSON.stringify(numbered)))
  }
}

/** Reads what was kept. Undefined when it is of another version, was sealed with another secret, or lacks a part. */
export const readKept = (
  seal: CheckpointSeal,
  base: Uint8Array,
  kept: Uint8Array
): (Omit<KeptBase, "version"> & { readonly state: CallState; readonly progress: CallProgress }) | undefined => {
  const openedBase = seal.open(base)
  const opened = partsIn(kept)?.map(seal.open)
  if (openedBase === undefined || opened === undefined) return undefined
  // Sealed: whoever wrote it has the types.
  const { setup, agent, ...read }: KeptBase = JSON.parse(openedBase)
  if (read.version !== checkpointVersion) return undefined
  const parts: ReadonlyArray<Numbered | undefined> = opened.map((text) =>
    text === undefined ? undefined : JSON.parse(text)
  )
  if (!areInOrder(parts)) return undefined
  const mind = mindOf(parts.map(({ number: _, ...part }) => part))
  if (mind === undefined) return undefined
  return { setup, agent, progress: mind.progress, state: { ...mind.state, agent } }
}

const areInOrder = (parts: ReadonlyArray<Numbered | undefined>): parts is ReadonlyArray<Numbered> =>
  parts.every((part, at) => part !== undefined && part.number === (parts[0]?.number ?? 0) + at)
