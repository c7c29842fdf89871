/**
 * Runs tools that are HTTP addresses of the customer. Nothing here fails: the model gets a time-out, a lost connection, a refused address and an
 * error status as answers. A network error is tried once more when that does no harm: when no connection was made, or for tools that may run
 * again. A time-out or an answer is never tried again.
 */
import { Effect } from "effect"
import { mayRunAgain, type ToolHandler } from "../../domain/ai/tools/Tool.ts"
import type { Arguments } from "../../domain/ai/tools/ToolArguments.ts"
import { toolFailed as failed, type ToolAnswer } from "../../domain/ai/tools/ToolRunner.ts"
import { cutToBytes } from "../../domain/basics/PlainText.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { type ConnectionFailed, type GuardedExchangeResult, guardedExchange } from "../web/GuardedExchange.ts"
import type { PrivateAddress } from "../web/PublicNetwork.ts"

export interface HttpToolsOptions {
  /** Lets tools reach loopback and private addresses: for demo and development. */
  readonly allowPrivateNetwork?: boolean
}

type HttpHandler = Extract<ToolHandler, { readonly type: "http" }>

const maxResultBytes = 16 * 1024
const cutNote = "\n[The rest was cut off: an answer is at most 16 KB.]"
const defaultTimeoutMs = 8_000

const withQuery = (url: URL, input: Arguments): URL => {
  const address = new URL(url)
  for (const [name, value] of Object.entries(input))
    address.searchParams.set(name, typeof value === "string" ? value : JSON.stringify(value))
  return address
}

/** Makes text safe for a header: a model wrote part of it. */
const headerSafe = (text: string): string => text.replace(/[^\x21-\x7e]/g, "_").slice(0, 255)

/** Limits text to 16 KB, including a note when something is missing. */
const limited = (text: string, cut: boolean): string => {
  if (!cut && cutToBytes(text, maxResultBytes) === text) return text
  return cutToBytes(text, maxResultBytes - Buffer.byteLength(cutNote)) + cutNote
}

const responseOf = ({ status, bytes, cut }: GuardedExchangeResult): ToolAnswer => {
  const text = bytes.toString("utf8")
  return status < 200 || status > 299
    ? failed(limited(`The tool answered ${status}: ${text}`, cut))
    : { outcome: "ok", result: limited(text, cut) }
}

export const runHttpTool = traced("HttpTools.run")(function* (
  options: HttpToolsOptions,
  handler: HttpHandler,
  input: Arguments,
  idempotencyKey: string
) {
  if (!URL.canParse(handler.url)) return failed("The tool's address is not a URL.")
  const address = new URL(handler.url)
  if (address.protocol !== "http:" && address.protocol !== "https:") return failed("The tool's address is not http(s).")
  const inQuery = handler.method === "GET"
  const timeoutMs = Math.max(1, handler.timeoutMs ?? defaultTimeoutMs)
  const attempt = guardedExchange(inQuery ? withQuery(address, input) : address, {
    method: handler.method,
    headers: { ...handler.headers, "idempotency-key": headerSafe(idempotencyKey) },
    ...(inQuery ? {} : { body: JSON.stringify(input) }),
    allowPrivateNetwork: options.allowPrivateNetwork ?? false,
    maxBytes: maxResultBytes
  })
  const worthRepeating = (error: PrivateAddress | ConnectionFailed) =>
    error._tag === "ConnectionFailed" && (!error.sent || mayRunAgain(handler))
  return yield* attempt.pipe(
    Effect.retry({ times: 1, while: worthRepeating }),
    Effect.timeoutOption(timeoutMs),
    Effect.map((answer) =>
      answer._tag === "None" ? failed(`The tool did not answer within ${timeoutMs} ms.`) : responseOf(answer.value)
    ),
    Effect.catch((error) =>
      Effect.as(
        Effect.logWarning("a tool could not be reached", { host: address.host, reason: error.message }),
        failed(unreachable(error))
      )
    )
  )
})

const unreachable = (error: PrivateAddress | ConnectionFailed): string => {
  if (error._tag === "PrivateAddress") return "The tool's address is not on the public internet."
  return error.sent
    ? "The connection to the tool was lost before it answered; it may or may not have done its work."
    : "The tool's server cannot be reached."
}
