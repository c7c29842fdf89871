/** What went wrong with an MCP server, from the errors of the library. */
import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError
} from "@modelcontextprotocol/client"
import { Data } from "effect"
import { seenText } from "../../domain/ai/tools/McpTool.ts"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { PrivateAddress } from "../web/PublicNetwork.ts"

/**
 * `refused`: the server answered that it will not do this. `gone`: it does not know our session, or there is no connection, so the request was not
 * handled. `unauthorized`: it refuses our token. `scope`: it wants more than the token is good for. `private`: its address is not public. `lost`: the connection broke, and the request may have been
 * handled. `strange`: its answer is not of the protocol. `slow`: no answer in time. `other_transport`: it does not speak this transport.
 * `paused`: it was not asked.
 */
export class McpFailure extends Data.TaggedError("McpFailure")<{
  readonly kind:
    | "refused"
    | "gone"
    | "unauthorized"
    | "scope"
    | "private"
    | "lost"
    | "strange"
    | "slow"
    | "other_transport"
    | "paused"
  /** A sentence for people and models. */
  readonly message: string
  /** With `scope`: the scopes that the server names, separated by blanks. */
  readonly scope?: string
}> {}

const failure = (kind: McpFailure["kind"], message: string) => new McpFailure({ kind, message })

const causedBy = (cause: unknown, test: (error: unknown) => boolean): boolean =>
  test(cause) || (cause instanceof Error && cause.cause !== undefined && causedBy(cause.cause, test))

/** Our own failure, thrown while the library asked for a token. */
const ownFailure = (cause: unknown): McpFailure | undefined => {
  if (cause instanceof McpFailure) return cause
  return cause instanceof Error && cause.cause !== undefined ? ownFailure(cause.cause) : undefined
}

const hasCode = (codes: RegExp) => (error: unknown) =>
  error instanceof Error && "code" in error && typeof error.code === "string" && codes.test(error.code)

const ofStatus = (status: number | undefined): McpFailure => {
  if (status === 401 || status === 403)
    return failure("unauthorized", `The server refuses our credentials (status ${status}).`)
  if (status === 404) return failure("gone", "The server answers 404: there is no MCP server at this address.")
  if (status === 400 || status === 405 || status === 406 || status === 415)
    return failure("other_transport", `The server does not take MCP messages at this address (status ${status}).`)
  if (status !== undefined && status >= 300 && status < 400)
    return failure("refused", "The server redirects to another address, which is not followed.")
  return failure("lost", `The server answers ${status ?? "without a status"}.`)
}

/** Any error that a client, a transport or their fetch throws. */
export const failureOf = (cause: unknown): McpFailure => {
  const own = ownFailure(cause)
  if (own !== undefined) return own
  if (causedBy(cause, (error) => error instanceof PrivateAddress))
    return failure("private", "The server's address is not on the public internet.")
  if (cause instanceof InsufficientScopeError) {
    const scope = seenText(cause.requiredScope ?? "", 500)
      .replace(/[^\x21-\x7e]+/g, " ")
      .trim()
    return new McpFailure({
      kind: "scope",
      scope,
      message: `The server wants more than it is authorized for${scope === "" ? "" : ` (${scope})`}. A person must authorize it again.`
    })
  }
  if (cause instanceof UnauthorizedError) return failure("unauthorized", "The server refuses our credentials.")
  if (cause instanceof SdkHttpError)
    return cause.code === SdkErrorCode.ClientHttpAuthentication ? ofStatus(401) : ofStatus(cause.status)
  if (cause instanceof ProtocolError)
    return failure("refused", `The server refuses: ${seenText(cause.message, 500).replace(/\s+/g, " ")}`)
  if (cause instanceof SdkError && cause.code === SdkErrorCode.EraNegotiationFailed && cause.cause !== undefined)
    return failureOf(cause.cause)
  if (cause instanceof SdkError)
    switch (cause.code) {
      case SdkErrorCode.RequestTimeout:
        return failure("slow", "The server did not answer in time.")
      case SdkErrorCode.NotConnected:
        return failure("gone", "There is no connection to the server.")
      case SdkErrorCode.ConnectionClosed:
      case SdkErrorCode.SendFailed:
        return failure("lost", "The connection to the server was lost.")
      default:
        return failure("strange", "The server's answer is not one of MCP.")
    }
  if (causedBy(cause, hasCode(/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/)))
    return failure("lost", "The server cannot be reached.")
  if (causedBy(cause, hasCode(/^(ECONNRESET|EPIPE|UND_ERR_\w+)$/)) || causedBy(cause, isAbort))
    return failure("lost", "The connection to the server was lost.")
  return failure(
    "strange",
    `The server's answer is not one of MCP: ${seenText(messageOf(cause), 200).replace(/\s+/g, " ")}`
  )
}

const isAbort = (error: unknown): boolean => error instanceof Error && /^(AbortError|TimeoutError)$/.test(error.name)
