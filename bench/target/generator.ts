/** One of several processes that call a target: takes an order, says how it goes, and what it found. */
import { generate, type Order, type Said } from "./Generators.ts"

const say = (said: Said) => new Promise<void>((sent) => void process.send?.(said, () => sent()))

process.once("message", (order: Order) => {
  generate(order, (going) => void say({ going }))
    .then((generated) => say({ generated }))
    .catch((cause: unknown) => say({ failed: cause instanceof Error ? cause.message : String(cause) }))
    .finally(() => process.exit())
})
