/** The audit log names its actions in words. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { patternsFor, wordsOf } from "../../web/src/features/settings/audit/actionWords.ts"
import { sources } from "../support/imports.ts"

/** What the code writes into the log, where it is written as one text; and what api.md lists. */
const written = [...sources("src/domain"), ...sources("src/integrations/postgres")].flatMap((file) =>
  [...readFileSync(file, "utf8").matchAll(/\baction: "([a-z_]+\.[a-z_]+)"/g)].map(([, action]) => action)
)
const listed = [
  ...(/^Actions: ([\s\S]*?)\n\n/m.exec(readFileSync("docs/api.md", "utf8"))?.[1] ?? "").matchAll(/`([^`]+)`/g)
]
  .map(([, names]) => names.split(/\s+/))
  .flatMap(([first, ...others]) => [first, ...others.map((act) => `${first.split(".")[0]}.${act}`)])

describe("the audit log", () => {
  it("has words for each action that the service writes", () => {
    expect(written.length).toBeGreaterThan(50)
    expect(listed.length).toBeGreaterThan(40)
    const nameless = [...new Set([...written, ...listed])].filter((action) => wordsOf(action) === undefined)
    expect(nameless).toEqual([])
    expect(wordsOf("contact.erased")).toEqual(["Contact", "erased"])
  })

  it("keeps the name of an assistant's tool, and leaves the code of what it does not know", () => {
    expect(wordsOf("mcp.send_message")).toEqual(["Assistant over MCP", "send_message"])
    expect(wordsOf("planet.landed_on")).toBeUndefined()
  })

  it("is searched by what it shows, in the language in which it is shown, and by the code", () => {
    const finds = (typed: string, translate = (word: string) => word) => patternsFor(typed, translate).split(",")
    expect(finds("Contact: erased")).toEqual(["contact.erased", "mcp.erased"])
    expect(finds("erased")).toEqual(["*.erased", "mcp.erased"])
    expect(finds("webhook")).toContain("webhook.*")
    expect(finds("api_key")).toContain("api_key.*")
    expect(finds("Assistant over MCP: send_message")).toContain("mcp.send_message")
    expect(finds("api_key.created")).toEqual(["api_key.created"])
    const hindi: Readonly<Record<string, string>> = { Contact: "संपर्क", erased: "मिटाया गया" }
    expect(finds("संपर्क: मिटाया", (word) => hindi[word] ?? word)).toEqual(["contact.erased", "mcp.मिटाया"])
    // What is typed is an address of a request: it stays one.
    expect(finds("e").length).toBeLessThanOrEqual(120)
    expect(patternsFor("e", (word) => word).length).toBeLessThan(2_500)
  })
})
