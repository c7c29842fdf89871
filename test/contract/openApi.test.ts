/** Our own description, as tools of others read it. */
import { execFile } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { AppApi } from "../../src/http/Api.ts"

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

const described: { readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }> } & object =
  JSON.parse(JSON.stringify(OpenApi.fromApi(AppApi)))

describe("/openapi.json", () => {
  it("passes redocly's recommended rules without a warning", { timeout: 120_000 }, async () => {
    const { passes, report } = await lint(described)
    expect(report).not.toMatch(/Warning was generated|Error was generated/)
    expect(passes).toBe(true)
  })

  it("would not pass with a route that says nothing of itself", { timeout: 120_000 }, async () => {
    const { passes } = await lint({ ...described, paths: { "/nothing": { get: { responses: {} } } } })
    expect(passes).toBe(false)
  })

  it("says of each chapter what it is about", () => {
    expect(described.tags.filter(({ description }) => description === undefined).map(({ name }) => name)).toEqual([])
  })
})
