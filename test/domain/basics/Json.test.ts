import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { JsonRecord } from "../../../src/domain/basics/Json.ts"

const cyclic: Record<string, unknown> = {}
cyclic.itself = cyclic

const values: ReadonlyArray<unknown> = [
  "text",
  "",
  0,
  -1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  false,
  null,
  undefined,
  [],
  ["a", [1, null]],
  [undefined],
  {},
  { a: { b: [{ c: "d" }] } },
  { a: undefined },
  { a: 1n },
  new Date(0),
  new Map(),
  () => "text",
  Symbol("s"),
  cyclic
]

describe("a record of JSON", () => {
  const ours = Schema.is(JsonRecord)
  const theirs = Schema.is(Schema.Record(Schema.String, Schema.Json))

  it("takes and refuses what Schema.Json takes and refuses", () => {
    for (const value of values)
      assert.strictEqual(ours({ key: value }), theirs({ key: value }), Object.prototype.toString.call(value))
    assert.isTrue(ours({ key: "text" }))
    assert.isFalse(ours({ key: undefined }))
  })

  it("is an object", () => {
    for (const value of ["text", 1, null, undefined]) assert.isFalse(ours(value))
  })
})
