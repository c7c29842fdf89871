/**
 * Columns by the names of the properties they become. The client renames those of every row that comes back, for which it makes each row
 * twice; what is listed all day says its names itself, to `sql.withoutTransforms()`.
 */
import { String as Str } from "effect"

/** `names`, with blanks between, of the record in the column `of`; `prefix` (`message_`) comes before each. */
export const columnsOf = (of: string, names: string, prefix = ""): string =>
  names
    .split(" ")
    .map((name) => `(${of}).${name} AS "${Str.snakeToCamel(prefix + name)}"`)
    .join(", ")
