/** The most bytes of an answer that a request to the services of others reads: 5 MB, unless the request wants a file. */
import { Context } from "effect"

export const LargestAnswer = Context.Reference<number>("parley/domain/LargestAnswer", {
  defaultValue: () => 5 * 1024 * 1024
})
