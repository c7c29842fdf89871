/**
 * What the mind of a call knows of its sound, from its own commands and the sound's events. It keeps the mind's copy of the epoch and of what is planned
 * to be said, and turns the sound's events into inputs of the call.
 */
import { Deferred, Effect } from "effect"
import type { CallInput, Spoken } from "../../../domain/voice/dialogue/Call.ts"
import type { CallSound, Heard, SoundCommand, SoundEvent } from "../sound/CallSound.ts"
import type { PlannedClause } from "../sound/PlannedClauses.ts"
import { TurnClock } from "./TurnClock.ts"
import type { Verdict } from "./Verdict.ts"

/** A clause that is to be heard. Clauses of the model have a verdict, fixed lines have none. */
export interface Clause {
  readonly epoch: number
  readonly clause: number
  readonly text: string
  readonly verdict: Verdict | undefined
  /** Bytes of its sound that the sound has from another mind. */
  readonly sounded?: number
}

/** A clause without its verdict yet counts as one that may not be heard. */
const mayBeHeard = ({ verdict }: Clause): boolean => verdict === undefined || verdict.passed

type Rest = Omit<Extract<SoundEvent, { readonly _tag: "Rest" }>, "_tag">

/** A sound that is gone does not keep a call from ending. */
const answersWithin = "1 second"

export interface KnownSoundOptions {
  readonly sound: CallSound
  readonly offer: (input: CallInput) => void
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** What the sound knows already, of a call that another mind has begun. */
  readonly known?: KnownBefore
}

export interface KnownBefore {
  readonly epoch: number
  /** How many commands the sound has taken. */
  readonly commands: number
  readonly clauses: ReadonlyArray<PlannedClause>
  /** More will be planned at once: what was heard before that is not all. */
  readonly goesOn: boolean
}

export class KnownSound {
  readonly clock: TurnClock
  /** The clause that the mind before was making sound of: its rest is still to come. */
  readonly unfinished: Clause | undefined
  readonly #sound: CallSound
  readonly #offer: (input: CallInput) => void
  #epoch = 0
  /** The clauses planned since the agent last fell silent. */
  #clauses: Array<Clause> = []
  #nextClause = 0
  /** How many commands were sent, and the last of them after which the agent cannot be silent. */
  #sent = 0
  #lastPlan = 0
  /** The epoch whose speech failed. */
  #lost = -1
  #rest: Rest = { falseInterruptions: 0, callerTalkMs: 0, agentTalkMs: 0 }
  #restCame = Deferred.makeUnsafe<void>()
  #lastWordsCame = Deferred.makeUnsafe<void>()
  #callerPaused = Deferred.makeUnsafe<void>()

  constructor({ sound, offer, now, known }: KnownSoundOptions) {
    this.#offer = offer
    this.clock = new TurnClock(now)
    this.#sound = sound
    if (known === undefined) return
    const { epoch, commands, clauses, goesOn } = known
    this.#epoch = epoch
    this.#sent = commands
    if (goesOn) this.#lastPlan = Number.POSITIVE_INFINITY
    this.#nextClause = Math.max(0, ...clauses.map(({ clause }) => clause + 1))
    // Those without sound were dropped.
    const sounding = clauses.filter(({ bytes }) => bytes > 0)
    this.#clauses = sounding.map(({ clause, text }) => ({ epoch, clause, text, verdict: undefined }))
    const open = sounding.find(({ whole }) => !whole)
    if (open !== undefined)
      this.unfinished = { epoch, clause: open.clause, text: open.text, verdict: undefined, sounded: open.bytes }
  }

  /** Counts silencings: what was planned in an older epoch is dropped. */
  get epoch(): number {
    return this.#epoch
  }
  /** When the caller was last heard. */
  get voicedAt(): number {
    return this.#sound.voicedAt
  }
  /** Milliseconds for which the agent was not heard and has nothing planned to say. */
  get quietMs(): number {
    return this.#sound.quietMs
  }
  /** Milliseconds of the agent's sound that were sent and not played yet. */
  get unplayedMs(): number {
    return this.#sound.unplayedMs
  }

  /** The clauses of the model, by their numbers, that may be heard and perhaps have no sound yet. */
  get passed(): ReadonlyArray<number> {
    return this.#clauses.filter(({ verdict }) => verdict?.passed === true).map(({ clause }) => clause)
  }

  /** Sends a command that needs no copy here. */
  send(command: SoundCommand): void {
    this.#sent++
    this.#sound.run(command)
  }

  /** The model will reply to `turn`. Returns the epoch in which clauses may be planned until `replyOver`. */
  think(turn: number, { held }: { readonly held: boolean }): number {
    this.clock.begin(turn)
    this.#sendPlan({ _tag: "Think", epoch: this.#epoch, turn, held })
    return this.#epoch
  }
  /** Plans a clause of the reply, or a fixed line. Undefined when the agent was silenced since `epoch`. */
  plan(
    text: string,
    epoch: number,
    {
      verdict,
      line
    }: { readonly verdict?: Verdict | undefined; readonly line?: "interruptible" | "uninterruptible" } = {}
  ): Clause | undefined {
    if (epoch !== this.#epoch) return undefined
    const clause = this.#nextClause++
    const planned = { epoch, clause, text, verdict }
    this.#clauses.push(planned)
    this.#sendPlan({ _tag: "Plan", epoch, clause, text, ...(line === undefined ? {} : { line }) })
    return planned
  }
  /** The clause may not be heard. */
  drop({ epoch, clause }: Clause): void {
    this.#clauses = this.#clauses.filter((planned) => planned.clause !== clause)
    this.send({ _tag: "Drop", epoch, clause })
  }
  commit(): void {
    this.send({ _tag: "Commit", epoch: this.#epoch })
  }
  /** Silences the agent. From now on nothing more is planned in this epoch; what was heard of it follows as an input. */
  silence(): void {
    const epoch = this.#epoch
    this.#over(epoch)
    this.send({ _tag: "Silence", epoch })
  }
  /** The speech of this epoch failed: silences the agent, and tells the call. */
  lose(): void {
    this.#lost = this.#epoch
    this.silence()
  }

  /** Returns when the caller is not in the middle of something. */
  readonly callerPaused: Effect.Effect<void> = Effect.suspend(() => {
    this.#callerPaused = Deferred.makeUnsafe<void>()
    this.send({ _tag: "AwaitPause" })
    return Deferred.await(this.#callerPaused)
  })
  /** Asks for the words that the caller said last, and returns when they are there. */
  readonly lastWords: Effect.Effect<void> = Effect.suspend(() => {
    this.#lastWordsCame = Deferred.makeUnsafe<void>()
    this.send({ _tag: "Close" })
    return Deferred.await(this.#lastWordsCame)
  })
  /** Tells the call what the caller said or pressed and nobody took, as inputs. Returns the counts of the call. */
  readonly takeRest: Effect.Effect<Rest> = Effect.suspend(() => {
    this.#restCame = Deferred.makeUnsafe<void>()
    this.send({ _tag: "TakeRest" })
    return Effect.timeoutOption(Deferred.await(this.#restCame), answersWithin)
  }).pipe(Effect.map(() => this.#rest))

  #sendPlan(command: SoundCommand): void {
    this.send(command)
    this.#lastPlan = this.#sent
  }

  #over(epoch: number): void {
    if (epoch < this.#epoch) return
    this.#epoch = epoch + 1
    this.#clauses = []
  }

  /** What the caller heard and did not hear. Of an epoch that the mind has ended itself, nothing is to be said any more. */
  #spoken({ epoch, text, startMs, endMs }: Heard): Spoken {
    const all = epoch === this.#epoch ? this.#clauses.filter(mayBeHeard) : []
    const unheard = all
      .map((clause) => clause.text)
      .join(" ")
      .slice(text.length)
      .trim()
    return { text, unheard, startMs, endMs }
  }

  /** An event of the sound. */
  take(event: SoundEvent) {
    switch (event._tag) {
      case "BargedIn": {
        const spoken = this.#spoken(event.heard)
        this.#over(event.heard.epoch)
        return this.#offer({ _tag: "BargedIn", spoken, meant: event.meant })
      }
      case "Drained":
        return this.#drained(event.heard)
      case "Silenced": {
        const { heard, late } = event
        const spoken = this.#spoken(heard)
        if (heard.epoch !== this.#lost) return this.#offer({ _tag: "Silenced", spoken })
        // The caller was faster: the rest of the speech is not missed.
        if (!late) this.#offer({ _tag: "SpeechLost", spoken })
        return
      }
      case "PersonLost":
        return this.#offer({ _tag: "HandedBack", lost: true })
      case "FirstFrame":
        return this.clock.firstFrame(event.stamps)
      case "CallerPaused":
        Deferred.doneUnsafe(this.#callerPaused, Effect.void)
        return
      case "LastWords":
        Deferred.doneUnsafe(this.#lastWordsCame, Effect.void)
        return
      case "Rest":
        this.#rest = event
        Deferred.doneUnsafe(this.#restCame, Effect.void)
        return
      default:
        return this.#offer(event)
    }
  }

  /** The caller has heard what was planned. When more was planned while this event was under way, the agent is not silent yet. */
  #drained(heard: Heard): void {
    const { text, startMs, endMs } = heard
    const spoken = { text, unheard: "", startMs, endMs }
    if (heard.epoch === this.#epoch) this.#clauses.splice(0, heard.clauses)
    const silent = heard.epoch === this.#epoch && heard.seen >= this.#lastPlan
    this.#offer({ _tag: silent ? "Drained" : "HeardSoFar", spoken })
  }
}
