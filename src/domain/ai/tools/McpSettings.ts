/** From what a person sends to the settings of an MCP server. A secret is kept only for the address for which it was given. Pure. */
import { Result } from "effect"
import type { GivenMcpServer, McpSecrets, McpServer, McpServerChange } from "./McpServer.ts"
import { mcpServerWord } from "./McpTool.ts"

const defaultTimeoutMs = 8_000

type Given = NonNullable<GivenMcpServer["auth"]>

/** The secrets to store; `undefined`: those that are stored. Fails with a sentence. */
const secretsOf = ({ type, token }: Given, keeps: boolean): Result.Result<McpSecrets | undefined, string> => {
  if (type === "none")
    return token === undefined ? Result.succeed({}) : Result.fail(`auth.token needs auth.type "token".`)
  if (token !== undefined) return Result.succeed({ token })
  return keeps
    ? Result.succeed(undefined)
    : Result.fail("auth.token is missing: a token is kept only for the address that it was given for.")
}

/** The change that these settings are, or why they cannot be, as a sentence. `before`: the stored server; absent for a new one. */
export const mcpServerChange = (
  given: GivenMcpServer,
  refusal: (url: string) => string | undefined,
  before?: Pick<McpServer, "url" | "timeoutMs" | "auth">
): Result.Result<McpServerChange, string> => {
  const { url, timeoutMs = before?.timeoutMs ?? defaultTimeoutMs } = given
  const name = given.name.trim()
  if (mcpServerWord(name) === "") return Result.fail("name is invalid: it needs a letter or digit of ASCII.")
  const refused = refusal(url)
  if (refused !== undefined) return Result.fail(`url is invalid: it ${refused}`)
  const sent: Given = given.auth ?? before?.auth ?? { type: "none" }
  const another = before === undefined || before.url !== url
  const keeps = !another && before.auth.type === "token"
  return Result.map(secretsOf(sent, keeps), (secrets) => ({
    name,
    url,
    timeoutMs,
    auth: { type: sent.type },
    secrets,
    another
  }))
}
