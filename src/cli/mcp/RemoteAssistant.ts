/** The assistant of a running service, asked over HTTP by `parley mcp`. */
import { Effect, Option, Schema } from "effect"
import { CliError } from "effect/cli"
import type { AnswerOf } from "../../http/mcp/transport/FirstSdkServer.ts"
import { RpcFailure } from "../../http/mcp/transport/SdkAnswers.ts"

export interface ServiceAddress {
  readonly url: string
  readonly key: string
  /** The part of the address that narrows the tools, e.g. `?readonly=1`. */
  readonly query: string
}

/** The service does not answer, or does not take the key. */
export class McpRefused extends Schema.TaggedError<McpRefused>()("McpRefused", { message: Schema.String }) {
  override get [CliError.userMessage]() {
    return this.message
  }
}

const Answer = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ result: Schema.Record(Schema.String, Schema.Unknown) }),
    Schema.Struct({ failure: Schema.Struct({ code: Schema.Int, message: Schema.String }) }),
    Schema.Struct({ error: Schema.Union([Schema.String, Schema.Struct({ message: Schema.String })]) })
  ])
)
const readAnswer = Schema.decodeUnknownOption(Answer)

/** Codes of JSON-RPC for what the service says outside the protocol: the key is not good any more, or anything else. */
const [keyCode, otherCode] = [-32_001, -32_000]

const request = async ({ url, key, query }: ServiceAddress, init: RequestInit) => {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const address = new URL(`/api/mcp/stdio${query}`, url)
  try {
    return await fetch(address, { ...init, headers })
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause
    throw new RpcFailure(otherCode, `The service at ${address.origin} does not answer.`)
  }
}

/** Asks the service. Rejects with RpcFailure. */
export const askService =
  (address: ServiceAddress): AnswerOf =>
  async (method, params, client, signal) => {
    const response = await request(address, {
      method: "POST",
      signal,
      body: JSON.stringify({ method, params, client })
    })
    const answer = Option.getOrUndefined(readAnswer(await response.text()))
    if (answer !== undefined && "result" in answer) return answer.result
    if (answer !== undefined && "failure" in answer) throw new RpcFailure(answer.failure.code, answer.failure.message)
    const error = answer === undefined ? `The service answered with ${response.status}.` : answer.error
    const isRefusal = response.status === 401 || response.status === 403
    throw new RpcFailure(isRefusal ? keyCode : otherCode, typeof error === "string" ? error : error.message)
  }

const probing = { name: "parley mcp", version: "0.1.0" }

const asked = (address: ServiceAddress) =>
  Effect.tryPromise({
    try: (signal) => askService(address)("prompts/list", {}, probing, signal),
    catch: (cause) => (cause instanceof RpcFailure ? cause : new RpcFailure(otherCode, String(cause)))
  })

/** Fails when the service cannot be reached, or refuses the key. */
export const checkService = (address: ServiceAddress): Effect.Effect<void, McpRefused> =>
  Effect.asVoid(Effect.mapError(asked(address), ({ message }) => new McpRefused({ message })))

/** Completes when what the service said is over: it closed, or the key ended. */
const stayOpen = (address: ServiceAddress) =>
  Effect.promise(async (signal) => {
    const response = await request(address, { method: "GET", signal }).catch(() => undefined)
    if (response?.ok !== true || response.body === null) return
    try {
      for await (const _ of response.body);
    } catch {
      // The connection broke: the service is asked whether the key is still good.
    }
  })

/** Fails as soon as the service refuses the key. A service that is away is waited for. */
export const untilRefused = (address: ServiceAddress): Effect.Effect<never, McpRefused> =>
  Effect.forever(
    stayOpen(address).pipe(
      Effect.andThen(
        Effect.catch(asked(address), ({ code, message }) =>
          code === keyCode ? Effect.fail(new McpRefused({ message })) : Effect.sleep("1 second")
        )
      )
    )
  )
