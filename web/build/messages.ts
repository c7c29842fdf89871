/** Finds the messages of the interface in its sources: the first argument of each call `t("…")`, and of `message("…")` in tables. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const webRoot = join(import.meta.dirname, "..")

const call = /(?<![\w.$])(?:t|message)\(\s*("(?:[^"\\\n]|\\.)*")/g

/** The messages of one source. */
export const messagesIn = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(call)].map(([, quoted]) => JSON.parse(quoted) as string)

/** All messages of `web/src`. */
export const allMessages = (): ReadonlySet<string> =>
  new Set(
    globSync("src/**/*.{ts,tsx}", { cwd: webRoot }).flatMap((file) =>
      messagesIn(readFileSync(join(webRoot, file), "utf8"))
    )
  )
