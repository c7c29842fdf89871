/**
 * Runs tools that are HTTP addresses of the customer. Nothing here fails: a time-out, a lost connection, a refused address and an
 * error status are answers the model hears. A lost connection is tried once more; a time-out or an answer never is.
 */
import { Effect, Layer } from "effect"
import type { ToolCallResponse } from "../../domain/EngineProtocol.ts"
import { ToolRunner } from "../../domain/RunTool.ts"
import type { ToolHandler } from "../../domain/Tool.ts"
import type { Arguments } from "../../domain/ToolArguments.ts"
import { exchange } from "./Exchange.ts"
import { PrivateAddress } from "./PublicAddress.ts"

export interface HttpToolsOptions {
  /** Lets tools reach loopback and private addresses: for demo and development. */
  readonly allowPrivateNetwork?: boolean
}

type HttpHandler = Extract<ToolHandler, { readonly type: "http" }>

const maxResultBytes = 16 * 1024
const defaultTimeoutMs = 8_000

const failed = (result: string): ToolCallResponse => ({ outcome: "error", result })

class ToolUnreachable extends Error {
  override readonly name = "ToolUnreachable"
}

const withQuery = (url: URL, input: Arguments): URL => {
  const address = new URL(url)
  for (const [name, value] of Object.entries(input))
    address.searchParams.set(name, typeof value === "string" ? value : JSON.stringify(value))
  return address
}

/** At most 16 KB, never cut inside a character. */
const limited = (text: string): string => {
  const bytes = Buffer.from(text)
  return bytes.byteLength <= maxResultBytes
    ? text
    : bytes
        .subarray(0, maxResultBytes)
        .toString("utf8")
        .replace(/\uFFFD+$/, "")
}

const runHttp = Effect.fn("HttpTools.run")(function* (
  options: HttpToolsOptions,
  handler: HttpHandler,
  input: Arguments
) {
  if (!URL.canParse(handler.url)) return failed("The tool's address is not a URL.")
  const address = new URL(handler.url)
  if (address.protocol !== "http:" && address.protocol !== "https:") return failed("The tool's address is not http(s).")
  const inQuery = handler.method === "GET"
  const timeoutMs = Math.max(1, handler.timeoutMs ?? defaultTimeoutMs)
  const attempt = Effect.tryPromise({
    try: (signal) =>
      exchange(inQuery ? withQuery(address, input) : address, {
        method: handler.method,
        headers: handler.headers ?? {},
        ...(inQuery ? {} : { body: JSON.stringify(input) }),
        allowPrivateNetwork: options.allowPrivateNetwork ?? false,
        maxBytes: maxResultBytes,
        signal
      }),
    catch: (cause) =>
      cause instanceof PrivateAddress
        ? cause
        : new ToolUnreachable(cause instanceof Error ? cause.message : String(cause))
  })
  return yield* attempt.pipe(
    Effect.retry({ times: 1, while: (error) => error instanceof ToolUnreachable }),
    Effect.timeoutOption(timeoutMs),
    Effect.map((answer) => {
      if (answer._tag === "None") return failed(`The tool did not answer within ${timeoutMs} ms.`)
      const { status, text, cut } = answer.value
      if (status < 200 || status > 299) return failed(limited(`The tool answered ${status}: ${text}`))
      if (cut) return failed("The tool's answer is larger than 16 KB.")
      return { outcome: "ok" as const, result: limited(text) }
    }),
    Effect.catch((error) =>
      Effect.as(
        Effect.logWarning("a tool could not be reached", { host: address.host, reason: error.message }),
        failed(
          error instanceof PrivateAddress
            ? "The tool's address is not on the public internet."
            : "The tool's server cannot be reached."
        )
      )
    )
  )
})

/** `ToolRunner` for `http` handlers; of the other kinds none can be run yet by this service. Needs nothing but the options. */
export const layer = (options: HttpToolsOptions = {}): Layer.Layer<ToolRunner> =>
  Layer.succeed(ToolRunner, {
    run: (handler, input) =>
      handler.type === "http"
        ? runHttp(options, handler, input)
        : Effect.succeed(failed(`Tools of type ${handler.type} cannot be run during a call.`))
  })
