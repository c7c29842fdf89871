import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { eventTypes } from "../../../src/domain/events/Event.ts"
import { eventScope } from "../../../src/domain/events/EventFilter.ts"

describe("the table of events in docs/api.md", () => {
  const text = readFileSync(new URL("../../../docs/api.md", import.meta.url), "utf8")
  const rows = text.slice(text.indexOf("## Events")).split("\n")
  it.each(eventTypes)("has %s with the scope it needs", (type) => {
    const row = rows.find((line) => line.startsWith("|") && line.split("|")[1].includes(`\`${type}\``))
    assert.include(row ?? "", `\`${eventScope(type)}\``)
  })
})
