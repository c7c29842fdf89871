/** The app for Make, judged by the schemas of Make's own editor. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Ajv } from "ajv"
import { describe, expect, it } from "vitest"
import { appFiles } from "../../../src/cli/describe/describe.ts"

const folder = join(import.meta.dirname, "make")

/** The schemas under their file names. Their inner `$id`s are anchors that older validators read, and would be addresses here. */
const withoutAnchors = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutAnchors)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      name === "$id" && typeof part === "string" ? [] : [[name, withoutAnchors(part)]]
    )
  )
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false })
for (const file of readdirSync(folder).filter((name) => name.endsWith(".json")))
  ajv.addSchema({
    ...Object(withoutAnchors(JSON.parse(readFileSync(join(folder, file), "utf8")))),
    $id: `make/${file}`
  })

/** As the extension's package.json says it. */
const schemaOf: ReadonlyArray<readonly [RegExp, string]> = [
  [/\.(params|static-params|mappable-params|interface)\.iml\.json$/, "parameters.json"],
  [/\.(communication|attach|detach)\.iml\.json$/, "api.json"],
  [/\.required-scope\.iml\.json$/, "scope.json"],
  [/\.samples\.iml\.json$/, "samples.json"],
  [/^general\/base\.iml\.json$/, "base.json"],
  [/^modules\/groups\.json$/, "groups.json"],
  [/^makecomapp\.json$/, "makecomapp.schema.json"]
]

const files = appFiles("make", { baseUrl: "https://app.example.com" })
const valid = (schema: string, value: unknown) => {
  const validate = ajv.getSchema(`make/${schema}`)
  if (validate === undefined) throw new Error(`there is no schema ${schema}`)
  return validate(value) ? [] : (validate.errors ?? [])
}

describe("the app for Make", () => {
  it("is as Make's editor demands it, file by file", () => {
    const judged = files.filter(({ path }) => path.endsWith(".json"))
    expect(judged.length).toBeGreaterThan(100)
    for (const { path, text } of judged) {
      const [, schema = ""] = schemaOf.find(([names]) => names.test(path)) ?? []
      expect(valid(schema, JSON.parse(text)), path).toEqual([])
    }
  })

  it("would be refused with a mistake in it, so the schemas do judge", () => {
    expect(valid("parameters.json", [{ name: "to", type: "telephone" }])).not.toEqual([])
    expect(valid("api.json", { url: "/api", method: "POST" })).not.toEqual([])
  })

  it("has every file that it names, and every list that a drop-down asks for", () => {
    const { components } = JSON.parse(files.find(({ path }) => path === "makecomapp.json")?.text ?? "")
    const paths = files.map(({ path }) => path)
    for (const kind of Object.values<Record<string, { codeFiles: Record<string, string | null> }>>(components))
      for (const { codeFiles } of Object.values(kind))
        for (const path of Object.values(codeFiles)) if (path !== null) expect(paths).toContain(path)
    const asked = files.flatMap(({ text }) => [...text.matchAll(/"rpc:\/\/(\w+)"/g)].map(([, id]) => id))
    expect(asked.length).toBeGreaterThan(5)
    for (const id of asked) expect(Object.keys(components.rpc)).toContain(id)
  })
})
