/**
 * How long the caller has been silent: what is behind "are you still there?", and behind the time that a caller is given. The media clock moves it;
 * between two looks it waits for at least `pollMs`.
 */

/** Sounds without words postpone an end by at most this long. Milliseconds. */
const graceMs = 4_000
const pollMs = 250

export interface WaitOptions {
  /** When it ends if the caller says nothing, on the clock of `now`. */
  readonly untilMs: number
  /** Words move the end, so that there is this much silence after them. Absent: they do not. Milliseconds. */
  readonly patienceMs?: number
}

/** The caller, as a wait sees them. */
export interface Waited {
  /** When the last words of the caller came. */
  readonly wordsAt: number
  /** Whether the caller is making sounds whose words are not known yet. */
  readonly unfinished: boolean
}

/** One wait. Only words move its end. Sounds postpone it for a limited time, so that a noisy line cannot postpone it for ever. */
export class Wait {
  private readonly patienceMs: number
  private deadline: number
  private nextLook: number
  private grace = graceMs

  constructor({ untilMs, patienceMs }: WaitOptions) {
    this.patienceMs = patienceMs ?? Number.NEGATIVE_INFINITY
    this.deadline = untilMs
    this.nextLook = untilMs
  }

  /** Whether it is over at `now`. */
  over(caller: Waited, now: number): boolean {
    if (now < this.nextLook) return false
    const spokenUntil = caller.wordsAt + this.patienceMs
    if (spokenUntil > now) this.deadline = spokenUntil
    else if (caller.unfinished && this.grace > 0) this.grace -= pollMs
    else return true
    this.later(now)
    return false
  }

  private later(now: number): void {
    this.nextLook = now + Math.max(pollMs, this.deadline - now)
  }
}

/** All waits of a call. */
export class Waits {
  private silence: Wait | undefined
  private more: Wait | undefined
  private moreOf = 0
  private pause: Wait | undefined

  /** Begins to wait for silence. One that runs keeps its deadline. */
  armSilence(patienceMs: number, now: number): void {
    this.silence ??= new Wait({ untilMs: now + patienceMs, patienceMs })
  }
  disarmSilence(): void {
    this.silence = undefined
  }
  /** Begins to wait for more of `turn`, instead of an earlier turn. */
  awaitMore(turn: number, untilMs: number): void {
    this.moreOf = turn
    this.more = new Wait({ untilMs })
  }
  /** Begins to wait for the end of the caller's sounds. */
  awaitPause(now: number): void {
    this.pause ??= new Wait({ untilMs: now })
  }

  /** Tells what is over at `now`. The media clock calls it; most of the time nothing is waited for. */
  look(caller: Waited, now: number, tell: (over: "silence" | "pause" | number) => void): void {
    if (this.silence?.over(caller, now)) {
      this.silence = undefined
      tell("silence")
    }
    if (this.pause?.over(caller, now)) {
      this.pause = undefined
      tell("pause")
    }
    if (this.more?.over(caller, now)) {
      this.more = undefined
      tell(this.moreOf)
    }
  }
}
