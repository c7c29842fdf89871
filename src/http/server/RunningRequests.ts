/**
 * The fibers of requests that are under way. An array whose last one takes the place of one that ends, and no Map, Set or scope: what these leave
 * behind as they change keeps requests that are over from being collected with the young (docs/performance.md).
 */
import { Effect, Fiber } from "effect"

interface Entry {
  readonly fiber: Fiber.Fiber<void>
  place: number
}

export class RunningRequests {
  private readonly entries: Array<Entry> = []
  private closed = false

  /** Until it ends, which is at once when the server has closed. */
  add(fiber: Fiber.Fiber<void>): void {
    if (this.closed) fiber.interruptUnsafe()
    const entry = { fiber, place: this.entries.length }
    this.entries.push(entry)
    fiber.addObserver(() => this.remove(entry))
  }

  private remove(entry: Entry): void {
    const last = this.entries.pop()
    if (last === undefined || last === entry) return
    last.place = entry.place
    this.entries[entry.place] = last
  }

  private get fibers(): ReadonlyArray<Fiber.Fiber<void>> {
    return this.entries.map(({ fiber }) => fiber)
  }

  /** Done when all have ended that are under way now. */
  readonly ended: Effect.Effect<void> = Effect.suspend(() => Effect.asVoid(Fiber.awaitAll(this.fibers)))

  /** Ends all that are under way, and those that still come; done when they have ended. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.closed = true
    return Fiber.interruptAll(this.fibers)
  })
}
