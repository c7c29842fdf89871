import { assert, describe, it } from "@effect/vitest"
import { idFrom, isId, newId } from "../../../src/domain/basics/Ids.ts"

describe("identifiers", () => {
  it("are always the same for the same seed, in later versions too", () => {
    assert.strictEqual(idFrom("msg", "opt-out confirmation of msg_01KAJ3"), "msg_VN9HBJEMXM847P95H0EJVA6BYH")
    assert.notStrictEqual(idFrom("msg", "a"), idFrom("msg", "b"))
  })

  it("differ from other texts by prefix, letters and length", () => {
    for (const id of [newId("msg"), idFrom("msg", "a"), "msg_1"]) assert.isTrue(isId("msg", id), id)
    for (const text of ["", "msg_", "msg", newId("cnt"), `msg_${"1".repeat(61)}`, "msg_1-2", "msg_1\n", " msg_1"])
      assert.isFalse(isId("msg", text), text)
  })
})
