/** Reads and writes catalogs of messages in gettext's PO form: `msgid` is the English message, `msgstr` its translation. */

export type Catalog = ReadonlyMap<string, string>

const text = (quoted: string): string => JSON.parse(quoted) as string

/** The messages of a PO file. Lines that go on in the next one are joined; the header, whose id is empty, is left out. */
export const parsePo = (file: string): Catalog => {
  const messages = new Map<string, string>()
  let id: string | undefined
  let current: "id" | "str" | undefined
  let value = ""
  const close = () => {
    if (id !== undefined && id !== "" && current === "str") messages.set(id, value)
  }
  for (const line of file.split("\n")) {
    const [, keyword, quoted] = /^(msgid|msgstr) (".*")$/.exec(line) ?? []
    if (keyword === "msgid") {
      close()
      current = "id"
      id = text(quoted)
    } else if (keyword === "msgstr") {
      current = "str"
      value = text(quoted)
    } else if (line.startsWith('"')) {
      if (current === "id") id = (id ?? "") + text(line)
      else value += text(line)
    }
  }
  close()
  return messages
}

/** A PO file of these messages, sorted by id, so that two people who add messages do not meet in one line. */
export const writePo = (language: string, messages: Catalog): string =>
  `${[
    `msgid ""\nmsgstr "Language: ${language}\\nContent-Type: text/plain; charset=utf-8\\n"`,
    ...[...messages]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, translation]) => `msgid ${JSON.stringify(id)}\nmsgstr ${JSON.stringify(translation)}`)
  ].join("\n\n")}\n`
