/** From what a person sends to the settings of an MCP server. A secret is kept only for the address for which it was given. Pure. */
import { Result } from "effect"
import type { GivenMcpServer, McpSecrets, McpServer, McpServerChange } from "./McpServer.ts"
import { mcpServerWord } from "./McpTool.ts"

const defaultTimeoutMs = 8_000

type Given = NonNullable<GivenMcpServer["auth"]>

/** What does not belong to the kind of authorization, as a sentence. */
const misplaced = ({ type, token, clientId, clientSecret, scope }: Given): string | undefined => {
  if (type !== "token" && token !== undefined) return `auth.token needs auth.type "token".`
  const ofOAuth = Object.entries({ clientId, clientSecret, scope }).find(([, value]) => value !== undefined)
  if (type !== "oauth" && ofOAuth !== undefined) return `auth.${ofOAuth[0]} needs auth.type "oauth".`
  if (clientSecret !== undefined && clientId === undefined) return "auth.clientSecret needs auth.clientId."
  return undefined
}

/** The secrets to store; `undefined`: those that are stored. `keeps`: the stored ones are of the same address and kind. Fails with a sentence. */
const secretsOf = (
  { type, token, clientSecret, clientId }: Given,
  keeps: boolean,
  sameClient: boolean
): Result.Result<McpSecrets | undefined, string> => {
  if (type === "none") return Result.succeed({})
  if (type === "oauth") {
    if (clientSecret !== undefined) return Result.succeed({ clientSecret })
    return Result.succeed(keeps && sameClient && clientId !== undefined ? undefined : {})
  }
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
  const wrong = misplaced(sent)
  if (wrong !== undefined) return Result.fail(wrong)
  const another = before === undefined || before.url !== url
  const keeps = !another && before.auth.type === sent.type
  const sameClient = before?.auth.clientId === sent.clientId
  const { token: _, clientSecret, ...auth } = sent
  return Result.map(secretsOf(sent, keeps, sameClient), (secrets) => ({
    name,
    url,
    timeoutMs,
    auth,
    secrets,
    another,
    ungranted: !keeps || !sameClient || clientSecret !== undefined
  }))
}
