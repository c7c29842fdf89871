/** Requests to the REST API of a store, over https with the keys as user and password. */
import { Clock, Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { type AppAnswer, AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"

const Refusal = Schema.Struct({
  code: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String)
})
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))

interface Asked {
  readonly method: "GET" | "POST" | "DELETE"
  /** After `/wp-json/wc/v3/`. */
  readonly path: string
  readonly body?: unknown
}

/** The address of the store without a slash at its end. */
export const wooAddress = (settings: AppSession["settings"]): string => String(settings.url).replace(/\/+$/, "")

const sent = ({ ask, credentials, settings }: AppSession, { method, path, body }: Asked) => {
  const bare = HttpClientRequest.make(method)(`${wooAddress(settings)}/wp-json/wc/v3/${path}`).pipe(
    HttpClientRequest.basicAuth(credentials.consumerKey, credentials.consumerSecret),
    HttpClientRequest.acceptJson
  )
  return ask(body === undefined ? bare : HttpClientRequest.bodyText(bare, JSON.stringify(body), "application/json"))
}

/** A success; every other status is a failure. */
export const askWoo = Effect.fnUntraced(function* (session: AppSession, request: Asked) {
  const answer: AppAnswer = yield* sent(session, request)
  if (isOk(answer)) return answer
  const found = readRefusal(answer.text)
  const { code = "", message = "" } = found._tag === "Some" ? found.value : {}
  const words = message.slice(0, 200)
  if (answer.status === 403 || code === "woocommerce_rest_cannot_view" || code === "woocommerce_rest_cannot_create")
    return yield* new AppFailure({
      action: "reconnect",
      message: `WooCommerce does not allow it (${answer.status}): the keys lack a permission. ${words}`
    })
  if (answer.status === 404)
    return yield* new AppFailure({
      action: "give_up",
      message: `WooCommerce answered 404: is ${wooAddress(session.settings)} the address of the store, with permalinks switched on? ${words}`
    })
  return yield* statusFailure("WooCommerce", answer, yield* Clock.currentTimeMillis, words)
})

export const decodedWoo = <A>(schema: Schema.Decoder<A>, { text }: AppAnswer) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(text),
    () => new AppFailure({ action: "retry", message: "WooCommerce's answer could not be read." })
  )
