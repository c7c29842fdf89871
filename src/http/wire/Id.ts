/** Ids in paths: an unknown one is 404, one that cannot be sent to the database 400. */
import { Schema } from "effect"

export const Id = Schema.String.check(
  Schema.isMaxLength(200),
  Schema.makeFilter((text: string) => !/[\p{Cc}\p{Cs}]/u.test(text) || "must not contain control characters.")
)
