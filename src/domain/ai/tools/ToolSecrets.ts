/**
 * Header values of tools are secrets and can only be written: what is read shows their last characters, and sending that back keeps
 * what is stored. They are kept only for the address they were given for, path included: else whoever may change a tool could have its
 * secrets sent to an address of their own, which may be another path of a host that many share.
 */
import { Result } from "effect"
import { isMasked, maskSecret } from "../../basics/MaskedSecret.ts"
import type { ToolDefinition, ToolHandler } from "./Tool.ts"

type HttpHandler = Extract<ToolHandler, { readonly type: "http" }>
type HttpTool = ToolDefinition & { readonly handler: HttpHandler }

const isHttpTool = (tool: ToolDefinition): tool is HttpTool => tool.handler?.type === "http"

/** Every value replaced by what `change` makes of it. */
const mapHeaders = (tool: ToolDefinition, change: (value: string, name: string) => string): ToolDefinition => {
  if (!isHttpTool(tool) || tool.handler.headers === undefined) return tool
  const headers = Object.entries(tool.handler.headers).map(([name, value]) => [name, change(value, name)] as const)
  return { ...tool, handler: { ...tool.handler, headers: Object.fromEntries(headers) } }
}

/** The tools as anybody may see them. */
export const maskSecrets = (tools: ReadonlyArray<ToolDefinition>): ReadonlyArray<ToolDefinition> =>
  tools.map((tool) => mapHeaders(tool, maskSecret))

/** Scheme, host, port and path. */
const addressOf = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname } = new URL(url)
  return origin + pathname
}

/** The stored value that `masked` stands for: of the tool of the same name first, so that tools can be renamed. */
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
