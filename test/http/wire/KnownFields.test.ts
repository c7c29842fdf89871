import { Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { shapeOf, unknownField } from "../../../src/http/wire/KnownFields.ts"

const Address = Schema.Struct({ street: Schema.String, floor: Schema.optionalKey(Schema.NumberFromString) })
interface Tree {
  readonly name: string
  readonly children: ReadonlyArray<Tree>
}
const Tree = Schema.Struct({
  name: Schema.String,
  children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree))
})
const Order = Schema.Struct({
  id: Schema.String,
  address: Schema.NullOr(Address),
  items: Schema.Array(Schema.Struct({ sku: Schema.String })),
  pay: Schema.Union([
    Schema.Struct({ by: Schema.Literal("card"), number: Schema.String }),
    Schema.Struct({ by: Schema.Literals(["cash", "cheque"]), change: Schema.Boolean })
  ]),
  labels: Schema.Record(Schema.String, Schema.String),
  extra: Schema.Unknown
})

const text = fc.string()
const orders: fc.Arbitrary<typeof Order.Type> = fc.record({
  id: text,
  address: fc.option(fc.record({ street: text, floor: fc.integer() }, { requiredKeys: ["street"] })),
  items: fc.array(fc.record({ sku: text })),
  pay: fc.oneof(
    fc.record({ by: fc.constant("card" as const), number: text }),
    fc.record({ by: fc.constantFrom("cash" as const, "cheque" as const), change: fc.boolean() })
  ),
  labels: fc.dictionary(text, text),
  extra: fc.jsonValue()
})

const unknownIn = (schema: Schema.Top, value: unknown) => unknownField(value, shapeOf(schema))?.path

describe("the first unknown field", () => {
  it.each<readonly [string | undefined, object]>([
    [undefined, { id: "1", address: null, labels: { any: "thing" }, extra: { deep: { anything: 1 } } }],
    ["ID", { ID: "1" }],
    ["address.city", { address: { street: "Main", city: "Springfield" } }],
    ["items.1.price", { items: [{ sku: "a" }, { sku: "b", price: 1 }] }],
    ["pay.change", { pay: { by: "card", change: true } }],
    ["pay.number", { pay: { by: "cheque", number: "1" } }],
    ["pay.tip", { pay: { by: "card", tip: 5 } }]
  ])("is %s", (path, value) => {
    expect(unknownIn(Order, value)).toBe(path)
  })

  it("is not looked for where the value has another form: decoding says that", () => {
    for (const value of [null, 5, "x", [], { items: {} }, { address: [] }, { pay: "cash" }])
      expect(unknownIn(Order, value)).toBeUndefined()
  })

  it("is found in schemas that contain themselves, as far as they are known", () => {
    expect(unknownIn(Tree, { name: "a", children: [], kids: [] })).toBe("kids")
  })

  it("is none in what the schema writes", () => {
    fc.assert(
      fc.property(orders, (order) => {
        expect(unknownIn(Order, Schema.encodeSync(Order)(order))).toBeUndefined()
      })
    )
  })
})
