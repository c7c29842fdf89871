/**
 * Calls `late` when `ms` milliseconds are over, but not before what has come meanwhile was read. A process that stood still (a long collection, a
 * host that froze) finds its timers due before it looks at its sockets: all answers would be late though they are there, for all calls
 * at once. Returns what takes it back.
 */
export const startDeadline = (ms: number, late: () => void): (() => void) => {
  let afterReading: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    afterReading = setImmediate(late)
  }, ms)
  return () => {
    clearTimeout(timer)
    clearImmediate(afterReading)
  }
}

/** Milliseconds until `until`, by `performance.now()`; 0 when it is over. */
export const leftUntil = (until: number): number => Math.max(0, until - performance.now())
