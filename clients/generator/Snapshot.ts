/** The interface as it was landed last: `docs/interface.json`. One line for each operation and schema, without what only people read. */
import type { OpenApiDocument } from "./OpenApiDocument.ts"

/** What does not change which requests are taken and which answers are given. */
const notes = new Set([
  "description",
  "summary",
  "title",
  "examples",
  "example",
  "default",
  "tags",
  "readOnly",
  "headers"
])

const withoutNotes = (part: unknown, inNames = false): unknown => {
  if (Array.isArray(part)) return part.map((one) => withoutNotes(one))
  if (typeof part !== "object" || part === null) return part
  return Object.fromEntries(
    Object.entries(part)
      .filter(([name]) => inNames || !notes.has(name))
      .map(([name, value]) => [
        name,
        // Below `properties` are names of fields, not keywords.
        !inNames && (name === "enum" || name === "required")
          ? value
          : withoutNotes(value, !inNames && name === "properties")
      ])
  )
}

const lines = (entries: Readonly<Record<string, unknown>>, indent: string): string =>
  Object.entries(entries)
    .map(([name, value]) => `${indent}${JSON.stringify(name)}: ${JSON.stringify(withoutNotes(value))}`)
    .join(",\n")

/** The text of the file. */
export const snapshotOf = ({ paths, webhooks = {}, components }: OpenApiDocument): string => {
  const operations = Object.entries(paths).map(
    ([path, item]) => `    ${JSON.stringify(path)}: {\n${lines(item, "      ")}\n    }`
  )
  return `{
  "paths": {
${operations.join(",\n")}
  },
  "webhooks": {
${lines(webhooks, "    ")}
  },
  "components": {
    "schemas": {
${lines(components.schemas, "      ")}
    },
    "parameters": {
${lines(components.parameters ?? {}, "      ")}
    }
  }
}
`
}
