/**
 * Header values of tools are secrets that can only be written. Reading shows their last characters; sending this masked value back keeps the stored
 * secret. A secret is kept only for the address for which it was given, including the path. Otherwise anybody who may change a tool could have its
 * secrets sent to their own address, which may be another path on a shared host.
 */
import { Result } from "effect"
import { isMasked, maskSecret } from "../../basics/MaskedSecret.ts"
import type { ToolDefinition, ToolHandler } from "./Tool.ts"

type HttpHandler = Extract<ToolHandler, { readonly type: "http" }>
type HttpTool = ToolDefinition & { readonly handler: HttpHandler }

const isHttpTool = (tool: ToolDefinition): tool is HttpTool => tool.handler?.type === "http"

/** The tool with `change` applied to each header value. */
const mapHeaders = (tool: ToolDefinition, change: (value: string, name: string) => string): ToolDefinition => {
  if (!isHttpTool(tool) || tool.handler.headers === undefined) return tool
  const headers = Object.entries(tool.handler.headers).map(([name, value]) => [name, change(value, name)] as const)
  return { ...tool, handler: { ...tool.handler, headers: Object.fromEntries(headers) } }
}

/** The tools as they are shown, with masked header values. */
export const maskSecrets = (tools: ReadonlyArray<ToolDefinition>): ReadonlyArray<ToolDefinition> =>
  tools.map((tool) => mapHeaders(tool, maskSecret))

/** The scheme, host, port and path of a URL; `undefined` when it is not a URL. */
const addressOf = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** The stored value that `masked` stands for. The tool with the same name is searched first, then the others, so that tools can be renamed. */
const storedSecret = (
  stored: ReadonlyArray<ToolDefinition>,
  { name: tool, handler }: HttpTool,
  header: string,
  masked: string
): string | undefined => {
  const address = addressOf(handler.url)
  const sameName = (candidate: ToolDefinition) => (candidate.name === tool ? 0 : 1)
  return stored
    .filter(isHttpTool)
    .filter((candidate) => address !== undefined && addressOf(candidate.handler.url) === address)
    .toSorted((a, b) => sameName(a) - sameName(b))
    .flatMap((candidate) => Object.entries(candidate.handler.headers ?? {}))
    .find(([name, value]) => name.toLowerCase() === header.toLowerCase() && maskSecret(value) === masked)?.[1]
}

/** The tools as sent, with the stored secret in place of each masked value; fails with a sentence that names the header. */
export const keepSecrets = (
  stored: ReadonlyArray<ToolDefinition>,
  sent: ReadonlyArray<ToolDefinition>
): Result.Result<ReadonlyArray<ToolDefinition>, string> => {
  let lost: string | undefined
  const tools = sent.map((tool) =>
    mapHeaders(tool, (value, header) => {
      if (!isMasked(value) || !isHttpTool(tool)) return value
      const secret = storedSecret(stored, tool, header, value)
      if (secret === undefined)
        lost ??= `has a masked header "${header}" of "${tool.name}" that no stored secret of that address fits: send its value.`
      return secret ?? value
    })
  )
  return lost === undefined ? Result.succeed(tools) : Result.fail(lost)
}
