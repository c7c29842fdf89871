/**
 * Admits only requests of the other role. `X-Engine-Signature` signs method, path, query and raw body. An expired, reused or wrong signature is
 * answered with 401. Without a header that could be right the body is not read; nothing is parsed before the signature is known to be good.
 */
import { Clock, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import {
  engineSignatureHeader,
  ReplayCache,
  refusedHeader,
  verifyEngineRequest
} from "../../domain/voice/engine/EngineSignature.ts"
import { errorResponse, Unauthorized } from "../wire/Errors.ts"
import { makeSignatureFailures } from "../wire/SignatureFailures.ts"

export class EngineSigned extends HttpApiMiddleware.Service<EngineSigned>()("parley/http/EngineSigned", {
  error: Unauthorized
}) {}

export interface EngineSignedOptions {
  /** `ENGINE_WS_SECRET`, the same on app and engine. */
  readonly secret: string
}

/** Each layer, and so each process, remembers the used signatures. */
export const layer = (options: EngineSignedOptions): Layer.Layer<EngineSigned> =>
  Layer.effect(
    EngineSigned,
    Effect.gen(function* () {
      const replay = new ReplayCache()
      const failures = yield* makeSignatureFailures("refused an engine signature")
      const unauthorized = new Unauthorized({ error: "The X-Engine-Signature header does not sign this request." })

      const check = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const { method, originalUrl: path, headers } = request
        const header = headers[engineSignatureHeader]
        const refused = refusedHeader(header, yield* Clock.currentTimeMillis)
        if (refused !== undefined) return refused
        const body = new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
        const now = yield* Clock.currentTimeMillis
        return verifyEngineRequest(options.secret, header, { method, path, body }, now, replay)
      })

      return Effect.fnUntraced(function* (handler) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const limited = yield* Effect.match(failures.admit(request), {
          onSuccess: () => undefined,
          onFailure: ({ error }) => errorResponse(429, error)
        })
        if (limited !== undefined) return limited
        const refusal = yield* check(request)
        if (refusal === undefined) {
          yield* failures.good(request)
          return yield* handler
        }
        const [path] = request.originalUrl.split("?")
        yield* failures.failed(request, { refusal, method: request.method, path: path.slice(0, 200) })
        return yield* unauthorized
      })
    })
  )
