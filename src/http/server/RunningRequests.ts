/**
 * The fibers of running requests. They are kept in an array: when a fiber ends, the last entry takes its place. A Map, Set or scope leaves garbage
 * that keeps finished requests from being collected in the young generation (docs/performance.md).
 */
import { Effect, Fiber } from "effect"

interface Entry {
  readonly fiber: Fiber.Fiber<void>
  place: number
}

export class RunningRequests {
  private readonly entries: Array<Entry> = []
  private closed = false

  /** Adds a fiber until it ends; then its request is released. Interrupts it at once when the server has closed. */
  add(fiber: Fiber.Fiber<void>, request: { readonly release: (() => void) | undefined }): void {
    if (this.closed) fiber.interruptUnsafe()
    const entry = { fiber, place: this.entries.length }
    this.entries.push(entry)
    fiber.addObserver(() => {
      this.remove(entry)
      request.release?.()
    })
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

  /** Waits until all requests that are running now have ended. */
  readonly ended: Effect.Effect<void> = Effect.suspend(() => Effect.asVoid(Fiber.awaitAll(this.fibers)))

  /** Interrupts all running requests and waits until they have ended. Requests that come later are interrupted at once. */
  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.closed = true
    return Fiber.interruptAll(this.fibers)
  })
}
