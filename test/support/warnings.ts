/** Collects log lines of level warning or higher instead of printing them. */
import { Logger } from "effect"

export const warnings = () => {
  const lines: Array<unknown> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    if (logLevel === "Warn" || logLevel === "Error" || logLevel === "Fatal") lines.push(message)
  })
  return { lines, layer: Logger.layer([logger]) }
}
