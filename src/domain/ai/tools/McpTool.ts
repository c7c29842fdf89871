/**
 * A tool that an external MCP server offers. Its texts are untrusted: they are cleaned before anybody reads them, person or model. What a person has
 * approved is remembered by a hash of all that the model is told. Pure.
 */
import { createHash } from "node:crypto"
import { Predicate, Result, Schema } from "effect"
import { canonicalJson, JsonRecord } from "../../basics/Json.ts"
import { cutToBytes, storable } from "../../basics/PlainText.ts"
import { checkSchema } from "./ToolSchema.ts"

/** The limits of a server's list. What exceeds them is not taken, so that no server fills our memory. */
export const mcpToolLimits = { tools: 128, nameCharacters: 128, descriptionBytes: 2_048, schemaBytes: 16_384 }

export const McpTool = Schema.Struct({
  name: Schema.String,
  title: Schema.NullOr(Schema.String),
  description: Schema.String,
  inputSchema: JsonRecord
})
export type McpTool = typeof McpTool.Type

/** Control characters but line breaks and tabs, and characters that nobody sees: zero-width ones, marks of direction, tags. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}]|[\u{E0100}-\u{E01EF}]/gu

/** Text of another server without characters that a person would not see, of at most so many bytes. */
export const seenText = (text: string, maximum: number): string =>
  cutToBytes(storable(text).replace(unseen, ""), maximum)

/** The keywords of a schema whose text is read by people and models, and by no program. */
const texts: ReadonlySet<string> = new Set(["title", "description", "$comment"])

/** A schema with cleaned texts. `depth` ends at that of the deepest schema that tools may have. */
const cleanSchema = (value: unknown, depth: number): unknown => {
  if (depth > 40) return null
  if (Array.isArray(value)) return value.map((item) => cleanSchema(item, depth + 1))
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      texts.has(key) && typeof item === "string"
        ? seenText(item, mcpToolLimits.descriptionBytes)
        : cleanSchema(item, depth + 1)
    ])
  )
}

/** A tool as a server sent it, with cleaned texts. */
export const cleanTool = (tool: {
  readonly name: string
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly inputSchema: object
}): McpTool => {
  const { nameCharacters, descriptionBytes, schemaBytes } = mcpToolLimits
  const tooLarge = Buffer.byteLength(JSON.stringify(tool.inputSchema)) > schemaBytes
  return {
    name: tool.name.slice(0, nameCharacters + 1),
    title: tool.title === undefined ? null : seenText(tool.title, 200),
    description: seenText(tool.description ?? "", descriptionBytes),
    // A schema that is too large is not kept: `mcpToolProblem` refuses what stands in its place.
    inputSchema: tooLarge
      ? { $comment: `too large: more than ${schemaBytes} bytes as JSON` }
      : (cleanSchema(tool.inputSchema, 0) as McpTool["inputSchema"])
  }
}

/** Why agents cannot have the tool, as a sentence; `undefined` when they can. */
export const mcpToolProblem = ({ name, inputSchema }: McpTool): string | undefined => {
  if (!/^[\x21-\x7e]+$/.test(name) || name.length > mcpToolLimits.nameCharacters)
    return `Its name is not one of 1 to ${mcpToolLimits.nameCharacters} printable ASCII characters.`
  if (typeof inputSchema.$comment === "string" && inputSchema.$comment.startsWith("too large"))
    return `The schema of its arguments is ${inputSchema.$comment}.`
  const checked = checkSchema(inputSchema)
  return Result.isFailure(checked) ? `The schema of its arguments ${checked.failure}` : undefined
}

/** SHA-256 in hex of all that the model is told of the tool, as canonical JSON. */
export const mcpToolHash = (tool: McpTool): string => createHash("sha256").update(canonicalJson(tool)).digest("hex")

/** What the model is told of the arguments: not how they travel. */
export const mcpParameters = ({ inputSchema: { $schema: _, ...schema } }: McpTool): McpTool["inputSchema"] =>
  JSON.parse(
    JSON.stringify({ properties: {}, ...schema }, (keyword, value) =>
      keyword === "x-mcp-header" && typeof value === "string" ? undefined : value
    )
  )

const word = (text: string): string => text.replace(/[^a-zA-Z0-9_-]+/g, "_").replace(/^_+|_+$/g, "")

/** The part of a server's name that its tools' names begin with. Two servers of one organization cannot have the same. */
export const mcpServerWord = (name: string): string =>
  word(name).toLowerCase().replaceAll("_", "-").slice(0, 24).replace(/-+$/, "")

/**
 * A name for the tool that fits every model and is not that of another server's tool: `<server>_<tool>`. A name that had to be changed or shortened
 * gets a part of its hash, so that two of them stay different.
 */
export const agentToolName = (serverName: string, { name }: Pick<McpTool, "name">): string => {
  const plain = `${mcpServerWord(serverName)}_${word(name)}`
  if (word(name) === name && plain.length <= 64) return plain
  const mark = createHash("sha256").update(name).digest("hex").slice(0, 6)
  return `${plain.slice(0, 57)}_${mark}`
}
