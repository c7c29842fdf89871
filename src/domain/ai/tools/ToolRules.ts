/** The rules and limits of tool definitions, beside their shape. Each save checks the rules; a request that sends tools also checks the limits. */

import { Result } from "effect"
import { headersProblem } from "../../basics/CustomHeaders.ts"
import { hasAtMost } from "../../basics/PlainText.ts"
import { type GivenTool, type ToolDefinition, type ToolHandler, toolDefinition, toolSpec } from "./Tool.ts"
import { checkSchema, jsonTypes } from "./ToolSchema.ts"

type HttpHandler = Extract<ToolHandler, { readonly type: "http" }>

const maxTools = 64
const maxDescription = 2_000
const maxProperties = 50
const maxPropertyName = 64
const maxPropertyDescription = 1_000
const maxChoices = 100
const maxChoice = 200
const maxUrl = 2_000
const maxHandlerName = 200
/** The size limit, as JSON, of all tools together: the model gets them with each request. */
export const maxSpecBytes = 32_768
/** The limits of a handler's `timeoutMs`. The engine waits 20 s for a tool, its retry included. */
const timeout = { minimum: 100, maximum: 15_000 }

const firstRepeated = (names: ReadonlyArray<string>): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index)

const parametersProblem = ({ name, parameters }: ToolDefinition): string | undefined => {
  const { properties, required = [] } = parameters
  for (const [property, { type, enum: options }] of Object.entries(properties)) {
    if (!jsonTypes.some((known) => known === type))
      return `has a property "${property}" of "${name}" whose type is not one of: ${jsonTypes.join(", ")}.`
    if (options?.length === 0) return `has a property "${property}" of "${name}" with an empty enum.`
  }
  const unknown = required.find((property) => !Object.hasOwn(properties, property))
  if (unknown !== undefined) return `requires "${unknown}" of "${name}", which is not among its properties.`
  const checked = checkSchema(parameters)
  return Result.isFailure(checked) ? `has a schema of the parameters of "${name}" that ${checked.failure}` : undefined
}

const urlProblem = (text: string): string | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) return "that is not an http(s) URL."
  return url.username === "" && url.password === ""
    ? undefined
    : "with a user or password in it: put secrets into headers, which are stored encrypted."
}

const handlerProblem = (name: string, handler: HttpHandler): string | undefined => {
  const url = urlProblem(handler.url)
  if (url !== undefined) return `has a handler url of "${name}" ${url}`
  const headers = headersProblem(handler.headers ?? {})
  if (headers !== undefined) return `has, in the handler of "${name}", ${headers}`
  const { timeoutMs = timeout.minimum } = handler
  return timeoutMs < timeout.minimum || timeoutMs > timeout.maximum
    ? `has a timeoutMs of "${name}" that is not between ${timeout.minimum} and ${timeout.maximum}.`
    : undefined
}

/** The first rule a list of tools breaks, worded to follow "tools"; `undefined` when it breaks none. */
export const toolsProblem = (tools: ReadonlyArray<ToolDefinition>): string | undefined => {
  if (tools.length > maxTools) return `has more than ${maxTools} tools.`
  const repeated = firstRepeated(tools.map(({ name }) => name))
  if (repeated !== undefined) return `has two tools named "${repeated}".`
  for (const tool of tools) {
    const problem =
      parametersProblem(tool) ?? (tool.handler?.type === "http" ? handlerProblem(tool.name, tool.handler) : undefined)
    if (problem !== undefined) return problem
  }
  return undefined
}

const handlerExcess = ({ name, handler }: ToolDefinition): string | undefined => {
  switch (handler?.type) {
    case "http":
      return handler.url.length > maxUrl ? `a handler url of "${name}" longer than ${maxUrl} characters.` : undefined
    case "builtin":
      return handler.name.length > maxHandlerName ? `a handler of "${name}" with an endless name.` : undefined
    case "mcp":
      return Math.max(handler.serverId.length, handler.tool.length) > maxHandlerName
        ? `a handler of "${name}" with an endless serverId or tool.`
        : undefined
    default:
      return undefined
  }
}

const toolExcess = (tool: ToolDefinition): string | undefined => {
  const { name, description, parameters } = tool
  const properties = Object.entries(parameters.properties)
  if (!hasAtMost(description, maxDescription))
    return `a description of "${name}" longer than ${maxDescription} characters.`
  if (properties.length > maxProperties) return `more than ${maxProperties} properties of "${name}".`
  for (const [property, { description = "", enum: choices = [] }] of properties) {
    if (!hasAtMost(property, maxPropertyName))
      return `a property of "${name}" whose name is longer than ${maxPropertyName} characters.`
    if (!hasAtMost(description, maxPropertyDescription))
      return `a description of "${property}" of "${name}" longer than ${maxPropertyDescription} characters.`
    if (choices.length > maxChoices) return `more than ${maxChoices} values in the enum of "${property}" of "${name}".`
    if (choices.some((choice) => !hasAtMost(choice, maxChoice)))
      return `a value in the enum of "${property}" of "${name}" longer than ${maxChoice} characters.`
  }
  return handlerExcess(tool)
}

/** Only an MCP server says itself what its tool is for and takes. */
const notDescribed = ({ name, handler, description, parameters }: GivenTool): string | undefined => {
  if (handler?.type === "mcp" || (description !== undefined && parameters !== undefined)) return undefined
  return `a tool "${name}" without ${description === undefined ? "a description" : "parameters"}.`
}

/** The first limit that the sent tools exceed, as the end of a sentence about `tools`; `undefined` when they exceed none. */
export const toolsExcess = (given: ReadonlyArray<GivenTool>): string | undefined => {
  const tools = given.map(toolDefinition)
  if (tools.length > maxTools) return `it has more than ${maxTools} tools.`
  for (const tool of given) {
    const excess = notDescribed(tool) ?? toolExcess(toolDefinition(tool))
    if (excess !== undefined) return `it has ${excess}`
  }
  const bytes = Buffer.byteLength(JSON.stringify(tools.map(toolSpec)))
  return bytes > maxSpecBytes
    ? `it has names, descriptions and parameters of ${bytes} bytes as JSON; the model can be told ${maxSpecBytes}.`
    : undefined
}
