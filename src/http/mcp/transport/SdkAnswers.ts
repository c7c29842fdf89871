/** Runs requests of the protocol for the SDKs, which work with promises and their own errors. */
import { Cause, Effect, Exit, FiberSet, Option } from "effect"
import type { Assistant, Params } from "../assistant/Assistant.ts"
import { codeOf, ProtocolFailure } from "../assistant/ProtocolFailure.ts"
import type { AssistantCaller } from "../protocol/AssistantCaller.ts"

/** An error as both SDKs write it to the wire: its code, and its message unchanged. */
export class RpcFailure extends Error {
  readonly code: number
  readonly data?: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    if (data !== undefined) this.data = data
  }
}

const thrown = (failure: ProtocolFailure, params: Params) =>
  new RpcFailure(
    codeOf(failure),
    failure.message,
    failure.reason === "resource_not_found" ? { uri: params.uri } : undefined
  )

const ended = new ProtocolFailure({
  reason: "internal",
  message: "The server is closing. Please try again in a moment."
})

/**
 * Makes the function that answers a request of a caller. It rejects with RpcFailure. What it runs ends when the scope closes; `signal` interrupts what may be
 * interrupted, which is reading.
 */
export const makeSdkAnswers = Effect.fnUntraced(function* (assistant: Assistant) {
  const run = yield* FiberSet.makeRuntimePromise<never>()
  return async (
    method: string,
    params: Params,
    caller: AssistantCaller | Effect.Effect<AssistantCaller>,
    signal?: AbortSignal
  ): Promise<object> => {
    const known = Effect.isEffect(caller) ? caller : Effect.succeed(caller)
    const answer = Effect.exit(Effect.flatMap(known, (caller) => assistant(method, params, caller)))
    const outcome = await run(answer, signal === undefined ? {} : { signal })
    if (Exit.isSuccess(outcome)) return outcome.value
    throw thrown(
      Option.getOrElse(Cause.findErrorOption(outcome.cause), () => ended),
      params
    )
  }
})

export type SdkAnswers = Effect.Success<ReturnType<typeof makeSdkAnswers>>
