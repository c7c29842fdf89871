/** The schema of ids in requests. An unknown id gets 404; a text that the database cannot hold gets 400. */
import { Schema } from "effect"

export const Id = Schema.String.check(
  Schema.isMaxLength(200),
  Schema.makeFilter((text: string) => !/[\p{Cc}\p{Cs}]/u.test(text) || "must not contain control characters.")
)
