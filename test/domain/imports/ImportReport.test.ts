/** Cells of the report of an import: no spreadsheet runs one, and none loses anything. */
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { csvCell, unguarded } from "../../../src/domain/imports/ImportReport.ts"

const unquoted = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)

describe("a cell of the report", () => {
  it("is never a formula", () => {
    for (const text of ["=1+1", "+1415", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "'=1"]) {
      const shown = unquoted(csvCell(text))
      assert.isTrue(shown.startsWith("'"), text)
    }
    fc.assert(fc.property(fc.string(), (text) => !/^[=+\-@\t\r\n]/.test(unquoted(csvCell(text)))))
  })

  it("is the original text when it is read again", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("'", "=", "+", '"', ",", "a", "\n") }), (text) => {
        assert.strictEqual(unguarded(unquoted(csvCell(text))), text)
      })
    )
  })
})
