/** Our own description, as external tools read it. */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { eventTypes } from "../../src/domain/events/Event.ts"
import { AppApi } from "../../src/http/groups/Api.ts"
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

const described: Parameters<typeof contractOf>[0] & {
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
} = JSON.parse(JSON.stringify(OpenApi.fromApi(AppApi)))

describe("/openapi.json", () => {
  it("passes redocly's recommended rules without a warning", { timeout: 120_000 }, async () => {
    const { passes, report } = await lint(described)
    expect(report).not.toMatch(/Warning was generated|Error was generated/)
    expect(passes).toBe(true)
  })

  it("would not pass with a route that has no description", { timeout: 120_000 }, async () => {
    const { passes } = await lint({ ...described, paths: { "/nothing": { get: { responses: {} } } } })
    expect(passes).toBe(false)
  })

  it("describes each of its chapters", () => {
    expect(described.tags.filter(({ description }) => description === undefined).map(({ name }) => name)).toEqual([])
  })

  it("says how to repeat each POST with a key, and that clients with a key may be asked to wait", () => {
    const told = Object.values(described.paths).flatMap((item) =>
      Object.entries(item).filter(([, { security }]) => (security ?? []).length > 0)
    )
    expect(told.length).toBeGreaterThan(100)
    for (const [method, { operationId, parameters = [], requestBody, responses }] of told) {
      const form = requestBody?.content["multipart/form-data"] !== undefined
      const repeatable = parameters.some(
        (parameter) => "$ref" in parameter && parameter.$ref === "#/components/parameters/IdempotencyKey"
      )
      expect([operationId, repeatable]).toEqual([operationId, method === "post" && !form])
      expect(responses[429].headers).toHaveProperty("Retry-After")
      expect(responses).toHaveProperty("500")
    }
    const sent = described.paths["/api/messaging-api/send"].post
    expect(Object.keys(sent.responses)).toEqual(["200", "400", "401", "403", "404", "409", "429", "500"])
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
