/** What a tool definition must keep to, beyond its shape. Checked at each save. */
import { headersProblem } from "./CustomHeaders.ts"
import type { ToolDefinition, ToolHandler } from "./Tool.ts"
import { propertyTypes } from "./ToolArguments.ts"

type HttpHandler = Extract<ToolHandler, { readonly type: "http" }>

const maxTools = 64
/** The engine waits 20 s for a tool, its retry included. */
const timeout = { minimum: 100, maximum: 15_000 }

const firstRepeated = (names: ReadonlyArray<string>): string | undefined =>
  names.find((name, index) => names.indexOf(name) !== index)

const parametersProblem = ({ name, parameters: { properties, required = [] } }: ToolDefinition): string | undefined => {
  for (const [property, { type, enum: options }] of Object.entries(properties)) {
    if (!propertyTypes.includes(type))
      return `has a property "${property}" of "${name}" whose type is not one of: ${propertyTypes.join(", ")}.`
    if (options?.length === 0) return `has a property "${property}" of "${name}" with an empty enum.`
  }
  const unknown = required.find((property) => !Object.hasOwn(properties, property))
  return unknown === undefined ? undefined : `requires "${unknown}" of "${name}", which is not among its properties.`
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
