/** The tools as models see them: they fit the strict modes of the large providers, and read well. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect } from "effect"
import type { McpClient } from "../../support/assistants.ts"
import { mcpClient } from "../../support/assistants.ts"
import { startMessagingWith } from "../../support/messaging.ts"

type Schema = Record<string, unknown>

interface Entry {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema
  readonly outputSchema: Schema
  readonly annotations: Record<string, unknown>
}

/** The words that the strict modes of all providers take. */
const words = new Set(["type", "properties", "required", "additionalProperties", "items", "enum", "description"])

/** What of a schema a strict mode does not take, with its path. */
const strange = (schema: Schema, path: string): ReadonlyArray<string> => {
  const unknown = Object.keys(schema).filter((word) => !words.has(word))
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const open = schema.type === "object" && schema.additionalProperties !== false ? [`${path} is open`] : []
  const untyped = typeof schema.type === "string" ? [] : [`${path} has no type`]
  return [
    ...unknown.map((word) => `${path}.${word}`),
    ...open,
    ...untyped,
    ...properties.flatMap(([name, property]) => strange(property, `${path}.${name}`)),
    ...(schema.items === undefined ? [] : strange(schema.items as Schema, `${path}[]`))
  ]
}

const toolsOf = (client: McpClient) =>
  Effect.promise(async () => ((await client.ask("tools/list")) as unknown as { tools: ReadonlyArray<Entry> }).tools)

const stage = Effect.gen(function* () {
  const world = yield* startMessagingWith({})
  const client = yield* mcpClient("http 2025", world)
  return { ...world, client, tools: yield* toolsOf(client) }
})

describe("the tools of the MCP server", () => {
  it.live("fit strict modes, say what they are for with one example, and are listed in one short answer", () =>
    Effect.gen(function* () {
      const { tools } = yield* stage
      const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
      // What hosts give to models; they keep the schemas of results to themselves.
      assert.isAtMost(JSON.stringify(read).length, 24_000)
      assert.isAtMost(JSON.stringify(tools).length, 52_000)
      for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
        assert.deepStrictEqual(strange(inputSchema, name), [])
        assert.match(name, /^[a-z_]{1,64}$/)
        const example = /Example: (\{.*\})/.exec(description)?.[1]
        assert.isDefined(example, `${name} has no example`)
        assert.doesNotThrow(() => JSON.parse(example ?? ""), name)
        const given = Object.keys(JSON.parse(example ?? "{}"))
        const known = Object.keys((inputSchema.properties ?? {}) as object)
        assert.deepStrictEqual(
          given.filter((argument) => !known.includes(argument)),
          [],
          name
        )
        for (const required of (inputSchema.required ?? []) as ReadonlyArray<string>)
          assert.include(given, required, name)
        assert.strictEqual(outputSchema.type, "object")
        assert.strictEqual(typeof annotations.readOnlyHint, "boolean")
        for (const [argument, schema] of Object.entries((inputSchema.properties ?? {}) as Record<string, Schema>))
          assert.isString(schema.description, `${name}.${argument}`)
      }
    })
  )

  it.live("answer in the shape that they declare, also when every optional argument is null", () =>
    Effect.gen(function* () {
      const { client, tools, conversation } = yield* stage
      const { conversationId, contactId } = yield* Effect.promise(() => conversation("+14155550123", "Hello?"))
      const own: Record<string, Schema> = { get_conversation: { conversationId }, get_contact: { contactId } }
      const ajv = new Ajv2020({ strict: false })
      const elsewhere = ["get_call", "get_order"]
      const reading = tools.filter(
        ({ name, annotations }) => annotations.readOnlyHint === true && !elsewhere.includes(name)
      )
      assert.lengthOf(reading, 13)
      for (const { name, inputSchema, outputSchema } of reading) {
        const nulls = Object.keys((inputSchema.properties ?? {}) as object).map((argument) => [argument, null])
        const args = { ...Object.fromEntries(nulls), ...own[name] }
        const answer = yield* Effect.promise(() => client.call(name, args))
        assert.notStrictEqual(answer.isError, true, JSON.stringify(answer))
        const check = ajv.compile(outputSchema)
        assert.isTrue(check(answer.structuredContent), `${name}: ${JSON.stringify(check.errors)}`)
      }
    })
  )
})
