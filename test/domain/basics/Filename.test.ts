import { assert, describe, it } from "@effect/vitest"
import { safeFilename } from "../../../src/domain/basics/Filename.ts"
import { msOf } from "../../support/msOf.ts"

describe("a file name from outside", () => {
  it("loses its folders, dots and blanks at the ends, and characters with a meaning", () => {
    assert.strictEqual(safeFilename("../../etc/..pass:wd.. . "), "passwd")
    assert.strictEqual(safeFilename(" a\u202e  b.txt"), "a b.txt")
    assert.isNull(safeFilename(". . ."))
  })

  it("keeps its extension when it is cut", () => {
    assert.strictEqual(safeFilename(`${"a".repeat(300)}.pdf`), `${"a".repeat(196)}.pdf`)
  })

  it("takes about as long with dots in it as with letters", () => {
    const dots = msOf(() => safeFilename(`a${".".repeat(16_000)}a`))
    const letters = msOf(() => safeFilename("a".repeat(16_000)))
    assert.isBelow(dots, 50 * letters)
  })
})
