/**
 * Admits only requests of the other role. `X-Engine-Signature` signs method, path, query and raw body. An expired, reused or wrong signature is
 * answered with 401.
 */
import { Clock, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { engineSignatureHeader, ReplayCache, verifyEngineRequest } from "../../domain/voice/engine/EngineSignature.ts"
import { Unauthorized } from "../wire/Errors.ts"

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
    Effect.sync(() => {
      const replay = new ReplayCache()
      return Effect.fnUntraced(function* (handler) {
        const request = yield* HttpServerRequest.HttpServerRequest
        const body = yield* Effect.orDie(request.text)
        const { method, originalUrl: path, headers } = request
        const now = yield* Clock.currentTimeMillis
        const signed = { method, path, body }
        const refusal = verifyEngineRequest(options.secret, headers[engineSignatureHeader], signed, now, replay)
        if (refusal === undefined) return yield* handler
        yield* Effect.logWarning("refused an engine signature", { refusal, method, path: path.split("?")[0] })
        return yield* new Unauthorized({ error: "The X-Engine-Signature header does not sign this request." })
      })
    })
  )
