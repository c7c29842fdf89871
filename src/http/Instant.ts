/** A moment in a request: ISO 8601 with a time of day. */
import { Schema } from "effect"

export const Instant = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (/^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text))) ||
      `"${text}" is not a time; write it as 2026-11-21T09:30:00.000Z.`
  )
)
