/** Breaking changes of the interface are found, and others are not taken for such. */
import { Ajv2020 } from "ajv/dist/2020.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { entryOf, unnamedChanges } from "../../clients/generator/Changelog.ts"
import { interfaceChanges } from "../../clients/generator/InterfaceChanges.ts"
import { currentDocument, type JsonSchema, type OpenApiDocument } from "../../clients/generator/OpenApiDocument.ts"
import { schemaChanges } from "../../clients/generator/SchemaChanges.ts"

const landed: OpenApiDocument = {
  paths: {
    "/things": {
      get: {
        operationId: "things.list",
        security: [{ bearer: [] }, { session: [] }],
        parameters: [{ name: "search", in: "query", schema: { type: "string", maxLength: 200 } }],
        responses: {
          200: {
            content: {
              "application/json": { schema: { type: "array", items: { $ref: "#/components/schemas/Thing" } } }
            }
          }
        }
      },
      post: {
        operationId: "things.create",
        security: [{ bearer: [] }],
        "x-max-body-bytes": 262_144,
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  name: { type: "string", maxLength: 120 },
                  color: { type: "string", enum: ["red", "blue"] },
                  sizes: { type: "array", items: { type: "integer", minimum: 1, maximum: 9 }, maxItems: 5 },
                  part: {
                    anyOf: [
                      {
                        type: "object",
                        properties: { type: { enum: ["wheel"] }, spokes: { type: "integer" } },
                        required: ["type"],
                        additionalProperties: false
                      },
                      {
                        type: "object",
                        properties: { type: { enum: ["bell"] } },
                        required: ["type"],
                        additionalProperties: false
                      },
                      { type: "null" }
                    ]
                  }
                },
                required: ["name"],
                additionalProperties: false
              }
            }
          }
        },
        responses: { 201: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } }
      }
    },
    "/things/{id}": {
      get: {
        operationId: "things.get",
        security: [{ bearer: [] }],
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } }
      }
    }
  },
  webhooks: {
    "thing.made": {
      post: {
        operationId: "webhook.thing.made",
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: { thing: { $ref: "#/components/schemas/Thing" } },
                required: ["thing"]
              }
            }
          }
        },
        responses: {}
      }
    }
  },
  components: {
    schemas: {
      Thing: {
        type: "object",
        properties: {
          id: { type: "string" },
          name: { anyOf: [{ type: "string" }, { type: "null" }] },
          status: { type: "string", enum: ["new", "old"] },
          at: { type: "string", format: "date-time" },
          count: { type: "integer" },
          parent: { anyOf: [{ $ref: "#/components/schemas/Thing" }, { type: "null" }] },
          events: {
            type: "array",
            items: {
              anyOf: [
                {
                  type: "object",
                  properties: { type: { enum: ["made"] }, by: { type: "string" } },
                  required: ["type", "by"]
                },
                { type: "object", properties: { type: { enum: ["sold"] } }, required: ["type"] }
              ]
            }
          }
        },
        required: ["id", "name", "status", "at", "count", "parent", "events"],
        additionalProperties: false
      }
    }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each change reaches into the document as far as it wants
type Anything = any

const changed = (change: (document: Anything) => void): ReadonlyArray<string> => {
  const document = structuredClone(landed)
  change(document)
  return interfaceChanges(landed, document).map(({ place, field, change: text }) => `${place} ${field}: ${text}`)
}

const body = (document: Anything) => document.paths["/things"].post.requestBody.content["application/json"].schema
const fields = (document: Anything) => body(document).properties
const thing = (document: Anything) => document.components.schemas.Thing

describe("a breaking change", () => {
  const breaking: Readonly<Record<string, readonly [(document: Anything) => void, string]>> = {
    "a request that is removed": [(d) => delete d.paths["/things"].get, "GET /things : is removed"],
    "another name in the client": [
      (d) => (d.paths["/things"].get.operationId = "things.all"),
      "GET /things : is things.all in the client instead of things.list"
    ],
    "a scheme of authentication that is removed": [
      (d) => d.paths["/things"].get.security.pop(),
      "GET /things : session is not taken any more"
    ],
    "a field of the query that is removed": [
      (d) => d.paths["/things"].get.parameters.pop(),
      "GET /things search: is not taken any more"
    ],
    "a field of the query that becomes required": [
      (d) => (d.paths["/things"].get.parameters[0].required = true),
      "GET /things search: is required now"
    ],
    "a new required field of the query": [
      (d) => d.paths["/things"].get.parameters.push({ name: "kind", in: "query", required: true, schema: {} }),
      "GET /things kind: is required now"
    ],
    "a narrower bound of the query": [
      (d) => (d.paths["/things"].get.parameters[0].schema.maxLength = 100),
      "GET /things search: maxLength is 100 instead of 200"
    ],
    "a new bound": [(d) => (fields(d).name.minLength = 1), "POST /things name: minLength is 1 instead of none"],
    "a new pattern": [(d) => (fields(d).name.pattern = "^a"), "POST /things name: pattern is ^a instead of none"],
    "a new required field of the body": [
      (d) => {
        fields(d).kind = { type: "string" }
        body(d).required.push("kind")
      },
      "POST /things kind: is required now"
    ],
    "a field of the body that becomes required": [
      (d) => body(d).required.push("color"),
      "POST /things color: is required now"
    ],
    "a field of the body that is removed": [(d) => delete fields(d).sizes, "POST /things sizes: is not taken any more"],
    "a word of the body that is removed": [
      (d) => fields(d).color.enum.pop(),
      'POST /things color: "blue" is not taken any more'
    ],
    "a narrower bound within a list": [
      (d) => (fields(d).sizes.items.maximum = 8),
      "POST /things sizes[]: maximum is 8 instead of 9"
    ],
    "null that is not taken any more": [
      (d) => fields(d).part.anyOf.pop(),
      "POST /things part: null is not taken any more"
    ],
    "a kind of record that is not taken any more": [
      (d) => fields(d).part.anyOf.splice(1, 1),
      'POST /things part: the kind type="bell" is not taken any more'
    ],
    "a field of one kind of record that is removed": [
      (d) => delete fields(d).part.anyOf[0].properties.spokes,
      "POST /things part.spokes: is not taken any more"
    ],
    "a smaller body": [
      (d) => (d.paths["/things"].post["x-max-body-bytes"] = 1),
      "POST /things : takes 1 bytes instead of 262144"
    ],
    "another status": [
      (d) => {
        d.paths["/things"].post.responses = { 200: d.paths["/things"].post.responses[201] }
      },
      "POST /things : is not answered with 201 any more"
    ],
    "another type of content": [
      (d) => {
        d.paths["/things"].get.responses[200].content = { "text/csv": {} }
      },
      "GET /things : application/json is not given any more"
    ],
    "a field of an answer that is removed": [
      (d) => {
        delete thing(d).properties.count
        thing(d).required.splice(4, 1)
      },
      "Thing count: is not answered any more"
    ],
    "a field of an answer that may be missing": [(d) => thing(d).required.shift(), "Thing id: may be missing now"],
    "a field of an answer that may be null": [
      (d) => (thing(d).properties.at = { anyOf: [thing(d).properties.at, { type: "null" }] }),
      "Thing at: may be null now"
    ],
    "another type in an answer": [
      (d) => (thing(d).properties.count.type = "string"),
      "Thing count: is string instead of integer"
    ],
    "a number with a fraction": [
      (d) => (thing(d).properties.count.type = "number"),
      "Thing count: is number instead of integer"
    ],
    "another format in an answer": [
      (d) => delete thing(d).properties.at.format,
      "Thing at: format is none instead of date-time"
    ],
    "a word of an answer that is removed": [
      (d) => thing(d).properties.status.enum.pop(),
      'Thing status: "old" is not given any more'
    ],
    "a kind of record in an answer that is removed": [
      (d) => thing(d).properties.events.items.anyOf.pop(),
      "Thing events[]"
    ],
    "a webhook that is removed": [(d) => delete d.webhooks["thing.made"], "webhook thing.made : is removed"],
    "a field of a webhook that is removed": [
      (d) => delete d.webhooks["thing.made"].post.requestBody.content["application/json"].schema.properties.thing,
      "webhook thing.made thing: is not answered any more"
    ]
  }

  it.each(Object.entries(breaking))("is %s", (_, [change, told]) => {
    const found = changed(change)
    expect(found.length).toBe(1)
    expect(found[0]).toContain(told)
  })
})

describe("no breaking change", () => {
  const harmless: Readonly<Record<string, (document: Anything) => void>> = {
    "is a new request": (d) => (d.paths["/other"] = d.paths["/things"]),
    "is another name of a parameter in a path": (d) => {
      d.paths["/things/{thingId}"] = d.paths["/things/{id}"]
      delete d.paths["/things/{id}"]
    },
    "is a new optional field": (d) => (fields(d).kind = { type: "string" }),
    "is a wider bound": (d) => (fields(d).name.maxLength = 200),
    "is a bound that is gone": (d) => delete fields(d).name.maxLength,
    "is a new word": (d) => fields(d).color.enum.push("green"),
    "is a new kind of record": (d) =>
      fields(d).part.anyOf.unshift({ type: "object", properties: { type: { enum: ["chain"] } }, required: ["type"] }),
    "is a field that may be null now": (d) => (fields(d).color = { anyOf: [fields(d).color, { type: "null" }] }),
    "is a fraction where a whole number was": (d) => (fields(d).sizes.items.type = "number"),
    "is a new field of an answer": (d) => {
      thing(d).properties.kind = { type: "string" }
      thing(d).required.push("kind")
    },
    "is a new word in an answer": (d) => thing(d).properties.status.enum.push("sold"),
    "is a new kind of record in an answer": (d) =>
      thing(d).properties.events.items.anyOf.push({
        type: "object",
        properties: { type: { enum: ["lost"] } },
        required: ["type"]
      }),
    "is an answer that is never null any more": (d) => (thing(d).properties.name = { type: "string" }),
    "is a name for a schema": (d) => {
      d.components.schemas.NewThing = body(d)
      d.paths["/things"].post.requestBody.content["application/json"].schema = { $ref: "#/components/schemas/NewThing" }
    },
    "is a schema without its name": (d) => {
      d.paths["/things"].get.responses[200].content["application/json"].schema.items = structuredClone(thing(d))
    },
    "is a word written as a constant": (d) => {
      fields(d).part.anyOf[0].properties.type = { const: "wheel" }
    },
    "is a list of words in two parts": (d) => {
      fields(d).color = {
        anyOf: [
          { type: "string", enum: ["red"] },
          { type: "string", enum: ["blue"] }
        ]
      }
    }
  }

  it.each(Object.entries(harmless))("%s", (_, change) => {
    expect(changed(change)).toEqual([])
  })

  it("is in our own description compared with itself", () => {
    const document = currentDocument()
    expect(interfaceChanges(document, document)).toEqual([])
  })
})

/** Schemas and, for each, values that fit. */
const leaf: ReadonlyArray<JsonSchema> = [
  { type: "string" },
  { type: "string", maxLength: 3 },
  { type: "string", minLength: 1 },
  { type: "string", enum: ["a", "b"] },
  { type: "string", enum: ["a"] },
  { type: "integer" },
  { type: "integer", minimum: 0, maximum: 5 },
  { type: "number" },
  { type: "boolean" },
  { type: "null" }
]

const { schema: schemas } = fc.letrec<{ schema: JsonSchema; record: JsonSchema }>((tie) => ({
  record: fc
    .record({
      properties: fc.dictionary(fc.constantFrom("a", "b", "type"), tie("schema"), {
        maxKeys: 3,
        noNullPrototype: true
      }),
      wanted: fc.array(fc.constantFrom("a", "b", "type")),
      closed: fc.boolean()
    })
    .map(({ properties, wanted, closed }) => ({
      type: "object",
      properties,
      required: [...new Set(wanted)].filter((name) => Object.hasOwn(properties, name)),
      ...(closed ? { additionalProperties: false } : {})
    })),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 3, arbitrary: fc.constantFrom(...leaf) },
    { weight: 2, arbitrary: tie("record") },
    { weight: 1, arbitrary: fc.array(tie("schema"), { minLength: 2, maxLength: 3 }).map((anyOf) => ({ anyOf })) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie("schema"), fc.option(fc.integer({ min: 0, max: 2 }), { nil: undefined }))
        .map(([items, maxItems]) => ({ type: "array", items, ...(maxItems === undefined ? {} : { maxItems }) }))
    }
  )
}))

/** A value that fits a schema. */
const valueOf = (schema: JsonSchema): fc.Arbitrary<unknown> => {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(valueOf))
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case "string":
      return fc.string({
        minLength: schema.minLength ?? 0,
        maxLength: Math.max(schema.minLength ?? 0, schema.maxLength ?? 6)
      })
    case "integer":
      return fc.integer({ min: schema.minimum ?? -9, max: schema.maximum ?? 9 })
    case "number":
      return fc.constantFrom(-1.5, 0, 2.25, 7)
    case "boolean":
      return fc.boolean()
    case "null":
      return fc.constant(null)
    case "array":
      return fc.array(valueOf(schema.items as JsonSchema), { maxLength: schema.maxItems ?? 3 })
    default:
      return fc.record(
        Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, valueOf(inner)])),
        { requiredKeys: [...(schema.required ?? [])] as Array<never> }
      )
  }
}

/** The same schema with one thing different somewhere. */
const edited = (schema: JsonSchema): fc.Arbitrary<JsonSchema> => {
  const inner: Array<fc.Arbitrary<JsonSchema>> = [
    schemas,
    fc.constant({ anyOf: [schema, { type: "null" }] }),
    fc.constant(schema)
  ]
  if (schema.anyOf !== undefined) {
    const { anyOf } = schema
    inner.push(
      fc.nat(anyOf.length - 1).map((at) => ({ anyOf: anyOf.filter((_, other) => other !== at || anyOf.length === 1) })),
      fc.nat(anyOf.length - 1).chain((at) => edited(anyOf[at]).map((one) => ({ anyOf: anyOf.with(at, one) })))
    )
  }
  if (schema.type === "array")
    inner.push(
      edited(schema.items as JsonSchema).map((items) => ({ ...schema, items })),
      fc.constant({ ...schema, maxItems: 2 })
    )
  const names = Object.keys(schema.properties ?? {})
  if (schema.type === "object") {
    inner.push(
      schemas.map((one) => ({ ...schema, properties: { ...schema.properties, c: one } })),
      schemas.map((one) => ({
        ...schema,
        properties: { ...schema.properties, c: one },
        required: [...(schema.required ?? []), "c"]
      })),
      fc.constant({ ...schema, required: names }),
      fc.constant({ ...schema, required: [] }),
      fc.constant({ ...schema, additionalProperties: false })
    )
    if (names.length > 0)
      inner.push(
        fc.constantFrom(...names).chain((name) =>
          edited(schema.properties?.[name] ?? {}).map((one) => ({
            ...schema,
            properties: { ...schema.properties, [name]: one }
          }))
        ),
        fc.constantFrom(...names).map((name) => {
          const { [name]: _, ...properties } = schema.properties ?? {}
          return { ...schema, properties, required: (schema.required ?? []).filter((other) => other !== name) }
        })
      )
  }
  return fc.oneof(...inner)
}

// Each schema judges one value: to compile it fast counts for more than that it runs fast.
const fits = (schema: JsonSchema, value: unknown): boolean =>
  new Ajv2020({ strict: false, meta: false, validateSchema: false, code: { optimize: false } }).validate(schema, value)

const at = { place: "here", field: "" }
const pairs = schemas.chain((before) => edited(before).map((after) => ({ before, after })))

describe("without a breaking change", () => {
  it("a request that was taken is taken", () => {
    let compatible = 0
    fc.assert(
      fc.property(
        pairs.chain((pair) => valueOf(pair.before).map((value) => ({ ...pair, value }))),
        ({ before, after, value }) => {
          if (schemaChanges({}, {})("taken", before, after, at).length > 0) return true
          compatible++
          return fits(after, value)
        }
      ),
      { numRuns: 1_000 }
    )
    expect(compatible).toBeGreaterThan(200)
  })

  it("an answer has what a client read before", () => {
    let compatible = 0
    fc.assert(
      fc.property(
        pairs.chain((pair) => valueOf(pair.after).map((value) => ({ ...pair, value }))),
        ({ before, after, value }) => {
          if (schemaChanges({}, {})("given", before, after, at).length > 0) return true
          compatible++
          return fits(tolerant(before), value)
        }
      ),
      { numRuns: 1_000 }
    )
    expect(compatible).toBeGreaterThan(200)
  })
})

/** An answer as a client reads it: new fields and new words are ignored, and bounds of texts and numbers are not looked at. */
const tolerant = (schema: JsonSchema): JsonSchema => {
  const {
    additionalProperties: _,
    minLength: _least,
    maxLength: _most,
    maxItems: _items,
    minimum: _low,
    maximum: _high,
    ...rest
  } = schema
  const { enum: words, anyOf, properties, items, ...plain } = rest
  const kinds = anyOf?.map(tolerant)
  const tagged =
    (anyOf ?? []).length > 1 &&
    (anyOf ?? []).every((one) => Object.values(one.properties ?? {}).some(({ enum: values }) => values?.length === 1))
  return {
    ...plain,
    ...(words === undefined ? {} : { type: "string" }),
    ...(kinds === undefined ? {} : { anyOf: tagged ? [...kinds, { type: "object" }] : kinds }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, tolerant(one)])) }),
    ...(typeof items === "object" ? { items: tolerant(items) } : {})
  }
}

describe("the changelog", () => {
  const change = { place: "POST /things", field: "part.spokes", change: "is not taken any more" }
  const log = (entry: string) =>
    `# Changelog\n\n## 2026-11-24\n\n- **New.** \`GET /other\`.\n${entry}\n\n## 2026-11-01\n\n- **Breaking.** \`POST /things\`: \`old\` is gone.\n`

  it("names a breaking change by an entry with its place and its field", () => {
    expect(unnamedChanges(log(entryOf(change)), [change])).toEqual([])
    expect(
      unnamedChanges(log("- **Breaking.** Wheels of `POST /things`\n  have no `spokes` any more."), [change])
    ).toEqual([])
  })

  it("does not name it by an entry of another place or field, by one that is not about a breaking change, or by an old one", () => {
    for (const entry of [
      "",
      "- **Breaking.** `POST /things`: `bell`.",
      "- **Breaking.** `GET /things`: `spokes`.",
      "- `POST /things`: `spokes`."
    ])
      expect(unnamedChanges(log(entry), [change])).toEqual([change])
    expect(unnamedChanges(log(""), [{ ...change, field: "old" }])).toHaveLength(1)
  })
})
