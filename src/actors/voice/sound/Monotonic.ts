/** Monotonic milliseconds that mean the same in all processes of a machine: `performance.now` begins anew in each. */
import { hrtime } from "node:process"

const origin = Number(hrtime.bigint()) / 1e6 - performance.now()

export const monotonicMs = (): number => origin + performance.now()
