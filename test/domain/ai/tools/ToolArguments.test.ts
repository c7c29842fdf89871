import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import fc from "fast-check"
import { parseArguments } from "../../../../src/domain/ai/tools/ToolArguments.ts"
import { checkSchema, type JsonType, jsonTypes } from "../../../../src/domain/ai/tools/ToolSchema.ts"
import { computedMs } from "../../../support/computed.ts"

const fits: Record<JsonType, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Texts, some of which have a meaning in JavaScript, in JSON pointers or as numbers. */
const word = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("1", "true", "null", "a,b", "constructor", "toString", "a/b", "a~1b", "a.b", "length", "0", "1e21")
)
const name = word.filter((text) => text !== "__proto__" && text !== "")
const values: Record<JsonType, fc.Arbitrary<unknown>> = {
  string: word,
  number: fc.double({ noNaN: true, noDefaultInfinity: true }),
  integer: fc.integer(),
  boolean: fc.boolean(),
  null: fc.constant(null),
  array: fc.array(fc.oneof(word, fc.integer(), fc.constant(null)), { maxLength: 3 }),
  object: fc.dictionary(word, fc.jsonValue(), { maxKeys: 2 })
}
const property = fc.record(
  {
    type: fc.constantFrom(...jsonTypes),
    enum: fc.array(word, { minLength: 1, maxLength: 4 }),
    description: fc.string()
  },
  { requiredKeys: ["type"] }
)
type Property = typeof property extends fc.Arbitrary<infer A> ? A : never

/** A value that a property allows, and often enough one that it does not. */
const written = ({ type, enum: options }: Property) =>
  fc.oneof(
    { weight: 6, arbitrary: values[type] },
    { weight: 2, arbitrary: options === undefined ? fc.integer() : fc.constantFrom(...options) },
    { weight: 1, arbitrary: fc.constant(null) },
    fc.jsonValue()
  )

/** A flat schema as agents have it, and what a model may write for it. */
const flat = fc.dictionary(name, property, { maxKeys: 5 }).chain((properties) => {
  const names = Object.keys(properties)
  const all = fc.tuple(...names.map((property) => fc.option(written(properties[property]), { nil: undefined })))
  const object = fc
    .tuple(all, fc.dictionary(word, fc.jsonValue(), { maxKeys: 1 }))
    .map(([given, others]) => JSON.stringify({ ...others, ...Object.fromEntries(names.map((n, i) => [n, given[i]])) }))
  return fc.record({
    parameters: fc.record({
      type: fc.constant("object" as const),
      properties: fc.constant(properties),
      required: fc.shuffledSubarray(names)
    }),
    text: fc.oneof({ weight: 8, arbitrary: object }, fc.json(), fc.string(), fc.constant(""))
  })
})

const parse = (parameters: object, written: unknown) => parseArguments({ parameters }, JSON.stringify(written))
const problem = (parameters: object, written: unknown) => {
  const parsed = parse(parameters, written)
  return parsed._tag === "Invalid" ? parsed.problem : undefined
}
const refusal = (schema: object) => {
  const checked = checkSchema({ type: "object", ...schema })
  return Result.isFailure(checked) ? checked.failure : undefined
}

describe("the arguments of a tool call", () => {
  const day = { type: "string", enum: ["Thu", "Fri"] }
  const spec = {
    type: "object",
    properties: { size: { type: "integer" }, day, extras: { type: "array" } },
    required: ["size"]
  }

  it("keep the properties that the tool names, and lose unknown ones and optional ones that are null", () => {
    const text = '{"size":4,"day":null,"colour":"red","__proto__":{"polluted":true},"constructor":1}'
    assert.deepStrictEqual(parseArguments({ parameters: spec }, text), { _tag: "Valid", value: { size: 4 } })
  })

  it("are refused with a sentence that says which one is wrong and what it must be", () => {
    assert.strictEqual(problem(spec, []), "The arguments must be one JSON object.")
    assert.strictEqual(problem(spec, {}), 'The argument "size" is missing.')
    assert.strictEqual(problem(spec, { size: 1.5 }), 'The argument "size" must be of type integer.')
    assert.strictEqual(problem(spec, { size: null }), 'The argument "size" must be of type integer.')
    assert.strictEqual(problem(spec, { size: 1, day: "Mon" }), 'The argument "day" must be one of: Thu, Fri.')
  })

  it("can be numbers whose choices are spelled as text", () => {
    const parameters = { type: "object", properties: { size: { type: "integer", enum: ["2", "4"] } } }
    assert.strictEqual(parse(parameters, { size: 4 })._tag, "Valid")
    assert.strictEqual(problem(parameters, { size: 3 }), 'The argument "size" must be one of: 2, 4.')
  })

  it("are either what a flat schema asks for or refused with a sentence, whatever a model writes", () => {
    fc.assert(
      fc.property(flat, ({ parameters: { properties, required, type }, text }) => {
        const parsed = parseArguments({ parameters: { type, properties, required } }, text)
        if (parsed._tag === "Invalid") return assert.match(parsed.problem, /^The argument.*\.$/s)
        const order = Object.keys(properties).filter((name) => Object.hasOwn(parsed.value, name))
        assert.deepStrictEqual(Object.keys(parsed.value), order)
        for (const name of required) assert.isTrue(Object.hasOwn(parsed.value, name))
        for (const [name, value] of Object.entries(parsed.value)) {
          const { type, enum: options } = properties[name]
          assert.isTrue(fits[type](value))
          if (options !== undefined) assert.include(options, String(value))
        }
      }),
      { numRuns: 300 }
    )
  })

  it("are taken as they are when each is what its property asks for", () => {
    const good = fc.dictionary(name, fc.constantFrom(...jsonTypes), { maxKeys: 5 }).chain((types) =>
      fc.record({
        types: fc.constant(types),
        value: fc
          .tuple(...Object.values(types).map((type) => values[type]))
          .map((all) => Object.fromEntries(Object.keys(types).map((name, i) => [name, all[i]])))
      })
    )
    fc.assert(
      fc.property(good, ({ types, value }) => {
        const properties = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }]))
        const sent = JSON.parse(JSON.stringify(value))
        const parameters = { type: "object", properties, required: Object.keys(types) }
        assert.deepStrictEqual(parse(parameters, sent), { _tag: "Valid", value: sent })
      })
    )
  })

  it("can be nested, and a wrong one is named by its path", () => {
    const line = { type: "object", properties: { sku: { type: "string" }, count: { type: "integer", minimum: 1 } } }
    const parameters = {
      type: "object",
      properties: {
        address: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
        lines: { type: "array", items: { ...line, required: ["sku"], additionalProperties: false }, maxItems: 2 },
        note: { type: ["string", "null"] },
        when: { anyOf: [{ type: "string" }, { type: "object", properties: { day }, required: ["day"] }] }
      }
    }
    const good = {
      address: { city: "Pune", street: "MG Road" },
      lines: [{ sku: "a", count: 1 }],
      note: null,
      when: { day: "Fri" }
    }
    assert.deepStrictEqual(parse(parameters, good), { _tag: "Valid", value: good })
    assert.deepStrictEqual(parse(parameters, { lines: [{ sku: "a", count: null, colour: "red" }], when: null }), {
      _tag: "Valid",
      value: { lines: [{ sku: "a" }] }
    })
    assert.strictEqual(problem(parameters, { address: {} }), 'The argument "address.city" is missing.')
    assert.strictEqual(
      problem(parameters, { lines: [{ sku: "a" }, { sku: 1 }] }),
      'The argument "lines.1.sku" must be of type string.'
    )
    assert.strictEqual(
      problem(parameters, { lines: [{ sku: "a", count: 0 }] }),
      'The argument "lines.0.count" must be >= 1.'
    )
    assert.strictEqual(problem(parameters, { note: 1 }), 'The argument "note" must be of type string or null.')
    assert.strictEqual(
      problem(parameters, { when: { day: "Mon" } }),
      'The argument "when" fits none of the forms it can have. The argument "when" must be of type string. The argument "when.day" must be one of: Thu, Fri.'
    )
  })

  it("may have any name when the tool allows additional properties", () => {
    const parameters = { type: "object", additionalProperties: { type: "string" } }
    assert.deepStrictEqual(parse(parameters, { a: "b" }), { _tag: "Valid", value: { a: "b" } })
    assert.strictEqual(problem(parameters, { a: 1 }), 'The argument "a" must be of type string.')
  })

  it("are checked no deeper than the schema goes, so that endless nesting does no harm", () => {
    const deep = `{"extras":${"[".repeat(50_000)}${"]".repeat(50_000)},"size":1}`
    assert.strictEqual(parseArguments({ parameters: spec }, deep)._tag, "Valid")
  })

  it("are judged by the schema of their own tool when many schemas are in use", () => {
    const schemaOf = (n: number) => ({
      type: "object",
      properties: { [`p${n}`]: { type: "string", description: "x".repeat(20_000) } },
      required: [`p${n}`]
    })
    for (let round = 0; round < 2; round++)
      for (let n = 0; n < 30; n++) {
        assert.strictEqual(problem(schemaOf(n), {}), `The argument "p${n}" is missing.`)
        assert.strictEqual(parse(schemaOf(n), { [`p${n}`]: "" })._tag, "Valid")
      }
  })

  it("are refused with the reason when the schema of the tool is refused", () => {
    assert.strictEqual(
      problem({ type: "object", not: {} }, {}),
      'The tool cannot be used: the schema of its parameters uses the keyword "not", which is not supported.'
    )
  })
})

describe("the schema of a tool", () => {
  const of = (property: unknown) => ({ properties: { a: property } })
  const levels = (depth: number): object => (depth === 0 ? {} : { type: "array", items: levels(depth - 1) })

  const refused: ReadonlyArray<readonly [string, object, RegExp]> = [
    ["is not of an object", { type: "array" }, /does not have the type "object"/],
    ["has an unknown type", of({ type: "text" }), /value of "type" of "a"/],
    ["has an unknown keyword", of({ patternProperties: {} }), /"patternProperties" of "a", which is not supported/],
    ["has a keyword for code", of({ $async: true }), /"\$async"/],
    ["refers to another document", of({ $ref: "https://evil.example/schema" }), /"\$ref" of "a".*own "\$defs"/],
    ["refers to nothing", of({ $ref: "#/$defs/b" }), /own "\$defs"/],
    ["refers to a part of a prototype", { $defs: {}, ...of({ $ref: "#/$defs/constructor" }) }, /own "\$defs"/],
    ["refers to itself", { $defs: { b: { $ref: "#/$defs/b" } }, ...of({ $ref: "#/$defs/b" }) }, /refers to itself/],
    ["is too deep", of(levels(20)), /deeper than 16 levels/],
    ["is too wide", of({ anyOf: Array.from({ length: 400 }, () => ({})) }), /more than 400 parts/],
    ["is endless", of({ enum: ["x".repeat(70_000)] }), /longer than 65536 characters/],
    ["has a limit that is none", of({ minimum: "1; process.exit()" }), /value of "minimum" of "a"/],
    ["has a limit below nothing", of({ maxLength: -1 }), /value of "maxLength"/],
    ["has choices that are objects", of({ enum: [{}] }), /value of "enum"/],
    ["has an empty list of choices", of({ enum: [] }), /value of "enum"/],
    ["has no schema where one belongs", of(7), /something in place of a schema of "a"/],
    ["has a property named __proto__", { properties: JSON.parse('{"__proto__":{}}') }, /value of "properties"/]
  ]
  for (const [what, schema, sentence] of refused)
    it(`is refused when it ${what}`, () => assert.match(refusal(schema) ?? "", sentence))

  it("is refused when its definitions multiply", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `d${n}`,
        { anyOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] }
      ])
    )
    assert.match(refusal({ $defs: { ...$defs, d12: {} }, ...of({ $ref: "#/$defs/d0" }) }) ?? "", /more than 400|deeper/)
  })

  it("may refer to its own definitions", () => {
    const parameters = {
      type: "object",
      $defs: { Day: { type: "string", enum: ["Thu", "Fri"] } },
      properties: { first: { $ref: "#/$defs/Day", description: "The first day" }, second: { $ref: "#/$defs/Day" } }
    }
    assert.strictEqual(parse(parameters, { first: "Thu", second: "Fri" })._tag, "Valid")
    assert.strictEqual(problem(parameters, { second: "Mon" }), 'The argument "second" must be one of: Thu, Fri.')
  })

  it("does not have its regular expressions run", () => {
    const parameters = { type: "object", ...of({ type: "string", pattern: "^(a|a)*$", format: "email" }) }
    const ms = computedMs(() => assert.strictEqual(parse(parameters, { a: `${"a".repeat(40)}!` })._tag, "Valid"))
    assert.isBelow(ms, 1_000)
  })

  it("always compiles when it is accepted", () => {
    const limit = fc.constantFrom("minimum", "multipleOf", "maxLength", "minItems", "maxProperties", "exclusiveMaximum")
    const { schema } = fc.letrec<{ schema: object; node: object }>((tie) => ({
      node: fc.oneof(fc.constant({}), tie("schema")),
      schema: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        property,
        fc.tuple(limit, fc.integer({ min: 1, max: 9 })).map(([keyword, value]) => ({ [keyword]: value })),
        fc.record({ const: fc.oneof(word, fc.integer(), fc.constant(null)) }),
        fc.record({ type: fc.constant("array"), items: tie("node") }),
        fc.record({ anyOf: fc.array(tie("node"), { minLength: 1, maxLength: 3 }) }),
        fc.record({ oneOf: fc.array(tie("node"), { minLength: 1, maxLength: 3 }), default: fc.jsonValue() }),
        fc.record({ properties: fc.dictionary(name, tie("node"), { maxKeys: 3 }), required: fc.array(name) }),
        fc.record({ additionalProperties: fc.oneof(fc.boolean(), tie("node")) })
      )
    }))
    fc.assert(
      fc.property(fc.dictionary(name, schema, { maxKeys: 4 }), fc.jsonValue(), (properties, given) => {
        const parameters = { type: "object", properties }
        if (refusal(parameters) !== undefined) return
        const all = Object.fromEntries(Object.keys(properties).map((name) => [name, given]))
        const parsed = parse(parameters, all)
        if (parsed._tag === "Invalid") assert.match(parsed.problem, /^The argument.*\.$/s)
      })
    )
  })
})
