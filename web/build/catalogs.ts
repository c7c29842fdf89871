/**
 * Makes the catalogs of the interface: `virtual:catalog/en`, `/hi` and `/pseudo`, compiled while building, so that no parser of messages is in the
 * pages. English holds only messages with values in them: all others are their own translation.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { compileMessage } from "@lingui/message-utils/compileMessage"
import type { Plugin } from "vite"
import { allMessages } from "./messages.ts"
import { parsePo } from "./po.ts"
import { pseudo } from "./pseudo.ts"

const folder = join(import.meta.dirname, "../i18n")
const prefix = "virtual:catalog/"

const translated = (language: string): ReadonlyArray<readonly [string, string]> => {
  const english = [...allMessages()]
  if (language === "en") return english.filter((id) => /[{}]/.test(id)).map((id) => [id, id])
  if (language === "pseudo") return english.map((id) => [id, pseudo(id)])
  const catalog = parsePo(readFileSync(join(folder, `${language}.po`), "utf8"))
  // A message that nobody has translated yet is shown in English.
  return english.map((id) => [id, catalog.get(id) || id])
}

export const catalogs = (): Plugin => ({
  name: "parley-catalogs",
  resolveId: (id) => (id.startsWith(prefix) ? `\0${id}` : undefined),
  load(id) {
    if (!id.startsWith(`\0${prefix}`)) return undefined
    const language = id.slice(prefix.length + 1)
    const compiled = translated(language).map(([message, translation]) => [message, compileMessage(translation)])
    return `export default ${JSON.stringify(Object.fromEntries(compiled))}`
  }
})
