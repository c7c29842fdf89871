/** Our own description, as external tools read it. */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { eventTypes } from "../../src/domain/events/Event.ts"
import { AppApi, CustomersApi, OperatorsApi } from "../../src/http/groups/Api.ts"
import { bodyMayBeAbsent } from "../../src/http/wire/OptionalBody.ts"
import { contractOf } from "./OpenApi.ts"

const redocly = resolve(import.meta.dirname, "../../node_modules/@redocly/cli/bin/cli.js")

/** What `redocly lint` with its recommended rules says of a document, and whether it passes. */
const lint = async (document: object): Promise<{ readonly passes: boolean; readonly report: string }> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-openapi-"))
  try {
    const file = join(folder, "openapi.json")
    await writeFile(file, JSON.stringify(document))
    const settings = {
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      cwd: folder
    }
    return await new Promise((done) =>
      execFile(process.execPath, [redocly, "lint", file], settings, (error, stdout, stderr) =>
        done({ passes: error === null, report: stdout + stderr })
      )
    )
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

type Described = Parameters<typeof contractOf>[0] & {
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
}
const described: Described = JSON.parse(JSON.stringify(OpenApi.fromApi(CustomersApi)))
const ofOperators: Described = JSON.parse(JSON.stringify(OpenApi.fromApi(OperatorsApi)))

interface Parameter {
  readonly name: string
  readonly schema: object
}
interface JsonSchema {
  readonly properties: Readonly<Record<string, { readonly readOnly?: boolean }>>
}

describe("/openapi.json", () => {
  it.each([
    ["/openapi.json", described],
    ["/openapi-operators.json", ofOperators]
  ])("passes redocly's recommended rules without a warning: %s", async (_, document) => {
    const { passes, report } = await lint(document)
    expect(report).not.toMatch(/Warning was generated|Error was generated/)
    expect(passes).toBe(true)
  })

  it("says that a body is optional exactly where an empty one is taken", () => {
    const optional = Object.values(AppApi.groups).flatMap(({ endpoints }) =>
      Object.values(endpoints).filter(bodyMayBeAbsent)
    )
    expect(optional.length).toBeGreaterThan(3)
    for (const { payload } of optional)
      for (const { schemas } of payload.values()) for (const schema of schemas) expect(Schema.is(schema)({})).toBe(true)
    const paths: Readonly<Record<string, object>> = described.paths
    const said = Object.values(paths).flatMap((item) =>
      Object.values(item as Readonly<Record<string, { readonly requestBody?: { readonly required: boolean } }>>).filter(
        ({ requestBody }) => requestBody?.required === false
      )
    )
    expect(said).toHaveLength(optional.length)
  })

  it("would not pass with a route that has no description", async () => {
    const { passes } = await lint({ ...described, paths: { "/nothing": { get: { responses: {} } } } })
    expect(passes).toBe(false)
  })

  it("describes each of its chapters", () => {
    const chapters = [...described.tags, ...ofOperators.tags]
    expect(chapters.filter(({ description }) => description === undefined).map(({ name }) => name)).toEqual([])
    expect(new Set(chapters.map(({ name }) => name)).size).toBe(chapters.length)
  })

  it("says how to repeat each POST with a key, and that clients with a key may be asked to wait", () => {
    const told = Object.values(described.paths).flatMap((item) =>
      Object.entries(item).filter(([, { security }]) => (security ?? []).length > 0)
    )
    expect(told.length).toBeGreaterThan(100)
    const contract = contractOf(described)
    for (const [method, operation] of told) {
      const { operationId, parameters = [], requestBody, responses } = operation
      const types = Object.keys(requestBody?.content ?? {})
      const form = types.length > 0 && types.every((type) => type === "multipart/form-data")
      const repeatable = parameters.some(
        (parameter) => "$ref" in parameter && parameter.$ref === "#/components/parameters/IdempotencyKey"
      )
      expect([operationId, repeatable]).toEqual([operationId, method === "post" && !form])
      expect(contract.responseOf(operation, 429)?.headers).toHaveProperty("Retry-After")
      expect(responses).toHaveProperty("500")
    }
    const sent = described.paths["/api/messaging-api/send"].post
    expect(Object.keys(sent.responses)).toEqual(["200", "400", "401", "403", "404", "409", "429", "500"])
  })

  it("has each route of the app in one of its two parts", () => {
    const parts = [...Object.keys(described.paths), ...Object.keys(ofOperators.paths)]
    const { paths } = OpenApi.fromApi(AppApi)
    expect(Object.keys(paths).filter((path) => parts.filter((one) => one === path).length !== 1)).toEqual([])
    expect(Object.keys(ofOperators.paths)).toContain("/engine/organizations/{orgId}/calls")
    expect(Object.keys(described.paths).filter((path) => /^\/(engine|api\/webhooks)\//.test(path))).toEqual([])
  })

  it("says of numbers and flags in queries what they are, with bounds and defaults", () => {
    const parameters = Object.values(described.paths).flatMap((item) =>
      Object.values(item).flatMap((operation) => (operation.parameters ?? []) as ReadonlyArray<Parameter>)
    )
    const named = (name: string) => parameters.filter((parameter) => parameter.name === name)
    expect(named("limit").length).toBeGreaterThan(10)
    for (const { schema } of [...named("page"), ...named("limit")])
      expect(schema).toMatchObject({ type: "integer", minimum: 1, maximum: expect.any(Number) })
    expect(named("minutes")[0].schema).toEqual({ type: "integer", minimum: 1, maximum: 60, default: 10 })
    expect(named("minDurationSeconds")[0].schema).toMatchObject({ type: "number", minimum: 0 })
    expect(named("archived")[0].schema).toEqual({ type: "boolean", default: false })
  })

  it("has nothing of the machine or of the library in it", () => {
    for (const text of [JSON.stringify(described), JSON.stringify(ofOperators)])
      expect(
        text.match(/x-effect|Encoded|NaN|Infinity|9007199254740991|contentSchema":\{"type":"(int|num|bool)/)
      ).toBeNull()
  })

  it("names the scope of an operation in its security, and says which operations need a person", () => {
    const { paths } = described
    expect(paths["/api/messaging-api/send"].post.security).toEqual([
      { bearer: ["messages:send"] },
      { session: ["messages:send"] }
    ])
    expect(paths["/api/devices"].get.security).toEqual([{ session: [] }])
    const open = Object.values(paths).flatMap((item) =>
      Object.values(item)
        .filter(({ security = [] }) => security.some((way) => Object.values(way).some((scopes) => scopes.length === 0)))
        .map(({ operationId }) => operationId)
    )
    // Of these the scope depends on what is asked, or whoever is signed in may ask.
    expect(open.sort()).toEqual([
      "devices.list",
      "devices.register",
      "devices.remove",
      "events.stream",
      "session.change",
      "session.end",
      "session.get",
      "sessions.end",
      "sessions.list",
      "users.get",
      "users.setPassword",
      "users.update"
    ])
  })

  it("marks what clients cannot change", () => {
    const { properties } = (described.components as { readonly schemas: Readonly<Record<string, JsonSchema>> }).schemas
      .Contact
    const marked = Object.keys(properties).filter((name) => properties[name].readOnly)
    expect(marked).toEqual(["id", "organizationId", "identities", "archivedAt", "lastSeenAt", "createdAt", "updatedAt"])
  })

  it("describes each kind of event as a webhook", () => {
    expect(Object.keys(described.webhooks)).toEqual(eventTypes)
  })

  it("rejects an event with the data of another type, with a missing field or with an extra one", () => {
    const { eventProblem, webhookProblem } = contractOf(described)
    const event = (type: string, data: unknown) => ({ id: "evt_1", type, createdAt: "2026-11-21T10:00:00.000Z", data })
    const contact = { id: "cnt_1" }
    expect(eventProblem(event("contact.erased", { contact }))).toBeUndefined()
    expect(eventProblem(event("contact.created", { contact }))).toMatch(/must have required property 'phone'/)
    expect(eventProblem(event("contact.erased", { contact: { ...contact, phone: "+1" } }))).toMatch(
      /additional properties/
    )
    expect(eventProblem(event("contact.erased", {}))).toMatch(/must have required property 'contact'/)
    expect(eventProblem(event("contact.sold", { contact }))).toMatch(/not described/)
    expect(eventProblem({ ...event("contact.erased", { contact }), id: 1 as unknown as string })).toMatch(
      /id must be string/
    )
    expect(webhookProblem({ type: "contact.erased" })).toMatch(/must have required property/)
  })
})
