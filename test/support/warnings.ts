/** What a test's subject logs as a warning or worse, collected instead of printed. */
import { Logger } from "effect"

export const warnings = () => {
  const lines: Array<unknown> = []
  const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
    if (logLevel === "Warn" || logLevel === "Error" || logLevel === "Fatal") lines.push(message)
  })
  return { lines, layer: Logger.layer([logger]) }
}
