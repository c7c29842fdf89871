/** A bar on standard error for people who wait; nothing when it is not a terminal. */
import { Effect } from "effect"

const width = 30

/** `[#####     ] 5/10`; `total` may turn out too small. */
export const bar = (done: number, total: number): string => {
  const filled = total === 0 ? width : Math.min(width, Math.floor((done / total) * width))
  return `[${"#".repeat(filled)}${" ".repeat(width - filled)}] ${done}/${Math.max(done, total)}`
}

/** Shows how far it is, over what was shown before. */
export const showProgress = (done: number, total: number): Effect.Effect<void> =>
  Effect.sync(() => {
    if (process.stderr.isTTY) process.stderr.write(`\r${bar(done, total)}${done >= total ? "\n" : ""}`)
  })
