/** `Authorization: Bearer <API key>`: provides the caller. Scopes are asked for by the handlers (`requireScope`). */
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { ApiKeys, type Principal, type Scope } from "../../domain/Access.ts"
import { Forbidden, Unauthorized } from "../Errors.ts"

export class Caller extends Context.Service<Caller, Principal>()("parley/http/Caller") {}

export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "parley/http/Authorization",
  { security: { bearer: HttpApiSecurity.bearer }, error: Unauthorized }
) {}

const missing = "Send an API key: Authorization: Bearer <key>."
const unknown = "This API key is not valid: it is malformed, unknown, revoked or expired."

/** Needs `ApiKeys`. */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    return {
      bearer: Effect.fnUntraced(function* (handler, { credential }) {
        const key = Redacted.value(credential)
        if (key === "") return yield* new Unauthorized({ error: missing })
        const principal = yield* keys.authenticate(key)
        if (principal === undefined) return yield* new Unauthorized({ error: unknown })
        return yield* Effect.provideService(handler, Caller, principal)
      })
    }
  })
)

/** The caller, when its key has the scope; 403 with the scope's name otherwise. */
export const requireScope = Effect.fnUntraced(function* (scope: Scope) {
  const caller = yield* Caller
  if (!caller.scopes.includes(scope)) return yield* new Forbidden({ error: `This API key lacks the scope ${scope}.` })
  return caller
})
