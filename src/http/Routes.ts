/** What a process serves: always `systemRoutes`, and `appRoutes`, `engineRoutes` or both, as its role is. */
import { Layer } from "effect"
import { HttpApiBuilder, HttpApiScalar } from "effect/http-api"
import { AppApi, EngineApi } from "./Api.ts"
import * as callbacks from "./handlers/callbacks.ts"
import * as calls from "./handlers/calls.ts"
import * as engine from "./handlers/engine.ts"
import * as telephony from "./handlers/telephony.ts"
import * as voiceAgents from "./handlers/voiceAgents.ts"
import * as Authorization from "./middleware/Authorization.ts"
import * as Decoding from "./middleware/Decoding.ts"
import * as EngineSigned from "./middleware/EngineSigned.ts"
import * as ErrorShape from "./middleware/ErrorShape.ts"
import * as System from "./System.ts"

export interface AppOptions extends EngineSigned.EngineSignedOptions, telephony.TelephonyOptions {}

/** `/healthz`, `/readyz`, `/metrics`, the answer to unknown addresses, the shape of errors, request ids. Exactly once per server. */
export const systemRoutes = Layer.mergeAll(System.layer, ErrorShape.layer)

const handlers = Layer.mergeAll(voiceAgents.layer, calls.layer, callbacks.layer, telephony.layer)

/** The interface of role `app`, with `/openapi.json` and `/docs` (which carries its own script: no network needed). */
export const appRoutes = (options: AppOptions) =>
  Layer.mergeAll(
    HttpApiBuilder.layer(AppApi, { openapiPath: "/openapi.json" }).pipe(Layer.provide(handlers)),
    HttpApiScalar.layer(AppApi)
  ).pipe(
    Layer.provide([
      Authorization.layer,
      Decoding.layer,
      EngineSigned.layer(options),
      telephony.TelephonyAddress.layer(options)
    ])
  )

/** The interface of role `engine`. */
export const engineRoutes = (options: EngineSigned.EngineSignedOptions) =>
  HttpApiBuilder.layer(EngineApi).pipe(
    Layer.provide(engine.layer),
    Layer.provide([Decoding.layer, EngineSigned.layer(options)])
  )
