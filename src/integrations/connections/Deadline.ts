/**
 * Calls `late` after `ms` milliseconds, but not before the data that came meanwhile was read. A process that stood still (a long garbage collection,
 * a frozen host) runs its due timers before it reads its sockets. Without this, all answers of all calls would count as late although they are
 * there. Returns a function that cancels it.
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

/** Milliseconds until `until`, by `performance.now()`; 0 when that has passed. */
export const leftUntil = (until: number): number => Math.max(0, until - performance.now())
