/** Tags that two sides change: each change of one side is there in the end, and nothing else changes. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { mergeTags, tagsIn } from "../../../../src/domain/apps/adapters/TagField.ts"

const names: ReadonlyArray<string> = ["vip", "golf", "late", "Köln", "a b", "x"]
const tags = fc.uniqueArray(fc.constantFrom(...names))

describe("tags in a field", () => {
  it("are read as they were written", () => {
    fc.assert(fc.property(tags, (some) => assert.deepStrictEqual(tagsIn(some.join(";")), some)))
    assert.deepStrictEqual(tagsIn(" vip ;;golf;vip"), ["vip", "golf"])
    assert.deepStrictEqual(tagsIn(null), [])
  })

  it("get what was added here, lose what was removed here, and keep what people did there", () => {
    fc.assert(
      fc.property(tags, tags, tags, (theirs, before, ours) => {
        const merged = mergeTags(theirs, before, ours)
        assert.strictEqual(new Set(merged).size, merged.length)
        for (const one of names) {
          const weChanged = before.includes(one) !== ours.includes(one)
          assert.strictEqual(merged.includes(one), (weChanged ? ours : theirs).includes(one), one)
        }
      })
    )
  })
})
