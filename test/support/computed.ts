/** Milliseconds of the processor that the work takes: on a busy machine it takes longer, and no more than that. */
export const computedMs = (work: () => void): number => {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user / 1_000
}
