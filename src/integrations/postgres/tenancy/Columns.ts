/**
 * Names columns like the properties they become. By default the client renames the columns of every result row, for which it creates each row
 * twice. Frequent lists name their columns here and use `sql.withoutTransforms()` instead.
 */
import { String as Str } from "effect"

/**
 * The SQL columns `names` (separated by blanks) of the record in the column `of`, each named like its property. `prefix` (for example `message_`) is
 * put before each name.
 */
export const columnsOf = (of: string, names: string, prefix = ""): string =>
  names
    .split(" ")
    .map((name) => `(${of}).${name} AS "${Str.snakeToCamel(prefix + name)}"`)
    .join(", ")
