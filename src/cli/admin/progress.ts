/** A progress bar on standard error. Nothing is shown when that is not a terminal. */
import { Effect } from "effect"

const width = 30

/** `[#####     ] 5/10`; `done` may exceed `total`. */
export const bar = (done: number, total: number): string => {
  const filled = total === 0 ? width : Math.min(width, Math.floor((done / total) * width))
  return `[${"#".repeat(filled)}${" ".repeat(width - filled)}] ${done}/${Math.max(done, total)}`
}

/** Shows the bar in place of the one shown before. */
export const showProgress = (done: number, total: number): Effect.Effect<void> =>
  Effect.sync(() => {
    if (process.stderr.isTTY) process.stderr.write(`\r${bar(done, total)}${done >= total ? "\n" : ""}`)
  })
