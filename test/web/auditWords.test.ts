/** The audit log names its actions in words. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { wordsOf } from "../../web/src/features/settings/audit/actionWords.ts"
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
})
