/** What was said so far in a turn, and what became known of it. Touched once per transcript, never per frame. */

/** How often one turn is announced as likely over. */
const MAX_ANNOUNCEMENTS = 3

export class TurnText {
  /** Silence at which a turn that says this is over, ms. */
  patienceMs = 0
  /** Silence from which on it may be announced as likely over, ms. */
  likelyAfterMs = 0
  /** Its end was told; nothing was added since. */
  ended = false
  private parts: Array<string> = []
  /** Whether what there is now was announced, and how often that was done in this turn. */
  private announced = false
  private announcements = 0

  get isEmpty(): boolean {
    return this.parts.length === 0
  }

  /** The pauses joined by spaces. */
  get text(): string {
    return this.parts.join(" ")
  }

  /** What is said on opens a turn again that had ended. */
  add(text: string): void {
    this.parts.push(text)
    this.ended = false
    this.announced = false
  }

  /** Hands over what was said, and begins the next turn. */
  take(): string {
    const { text } = this
    this.parts = []
    this.ended = false
    this.announced = false
    this.announcements = 0
    return text
  }

  /** Whether the turn's end may be announced as likely after so much silence: each text once, a turn a few times. */
  announceLikely(silentMs: number): boolean {
    if (this.announced || this.announcements >= MAX_ANNOUNCEMENTS || silentMs < this.likelyAfterMs) return false
    this.announced = true
    this.announcements++
    return true
  }
}
