/** Requests to the Admin API of a shop: with a token that ends after a day, got for client id and secret, or with one that stays. */
import { Clock, Effect, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import { type AppAnswer, AppFailure, type AppSession } from "../../domain/apps/AppSession.ts"
import { isOk, statusFailure } from "../../domain/apps/StatusFailure.ts"

/** The version of the Admin API and of webhooks that this adapter speaks. */
export const shopifyVersion = "2026-10"
/** Shopify answers a version for a year. */
export const shopifyVersionEndsAt = Date.parse("2027-10-01T00:00:00Z")

/** A token is renewed so long before its end. */
const earlySeconds = 3_600

const Token = Schema.Struct({ access_token: Schema.String, expires_in: Schema.optionalKey(Schema.Number) })
const Refusal = Schema.Struct({
  error: Schema.optionalKey(Schema.String),
  error_description: Schema.optionalKey(Schema.String)
})
const readRefusal = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))
const unreadable = new AppFailure({ action: "retry", message: "Shopify's answer could not be read." })

export const isShopDomain = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,60}\.myshopify\.com$/.test(text)

/** Where a shop answers. `baseUrl` is set where a simulator is asked instead. */
export const shopAddress = (settings: AppSession["settings"], baseUrl: string | undefined): string =>
  baseUrl ?? `https://${String(settings.shop)}`

/** Gets a token for the app's client id and secret. */
export const newShopifyToken = Effect.fnUntraced(function* (
  ask: AppSession["ask"],
  address: string,
  credentials: Readonly<Record<string, string>>,
  now: number
) {
  const { clientId, clientSecret } = credentials
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: clientId,
    client_secret: clientSecret
  })
  const answer = yield* ask(
    HttpClientRequest.post(`${address}/admin/oauth/access_token`).pipe(
      HttpClientRequest.acceptJson,
      HttpClientRequest.bodyText(form.toString(), "application/x-www-form-urlencoded")
    )
  )
  if (!isOk(answer)) {
    const { error, error_description = "" } = yield* Effect.succeed(readRefusal(answer.text)).pipe(
      Effect.map((found) => (found._tag === "Some" ? found.value : {}))
    )
    if (error === "shop_not_permitted")
      return yield* new AppFailure({
        action: "reconnect",
        message:
          "Shopify gives this app no token for this shop (shop_not_permitted): app and shop must belong to one organization."
      })
    if (answer.status === 400 || answer.status === 403)
      return yield* new AppFailure({
        action: "reconnect",
        message: `Shopify refuses client id and secret (${error ?? answer.status}). ${error_description.slice(0, 200)}`
      })
    return yield* statusFailure("Shopify", answer, now)
  }
  const { access_token, expires_in } = yield* Effect.mapError(
    Schema.decodeUnknownEffect(Schema.fromJsonString(Token))(answer.text),
    () => unreadable
  )
  return {
    accessToken: access_token,
    ...(expires_in === undefined ? {} : { expiresAt: String(now + Math.max(60, expires_in - earlySeconds) * 1_000) })
  }
})

interface Asked {
  readonly method: "GET" | "POST"
  /** After the version, or a whole address of the shop. */
  readonly path: string
  readonly body?: unknown
}

export const makeShopifyRequests = (baseUrl: string | undefined) => {
  /** The token of the session; one that was not stored yet is asked for. */
  const tokenOf = Effect.fnUntraced(function* ({ ask, credentials, settings }: AppSession) {
    if (credentials.accessToken !== undefined) return credentials.accessToken
    const now = yield* Clock.currentTimeMillis
    return (yield* newShopifyToken(ask, shopAddress(settings, baseUrl), credentials, now)).accessToken
  })

  const sent = Effect.fnUntraced(function* (session: AppSession, { method, path, body }: Asked) {
    const address = shopAddress(session.settings, baseUrl)
    const bare = HttpClientRequest.make(method)(`${address}/admin/api/${shopifyVersion}/${path}`).pipe(
      HttpClientRequest.setHeader("x-shopify-access-token", yield* tokenOf(session)),
      HttpClientRequest.acceptJson
    )
    const request =
      body === undefined ? bare : HttpClientRequest.bodyText(bare, JSON.stringify(body), "application/json")
    return yield* session.ask(request)
  })

  /** The text of a success; every other status is a failure. */
  const asked = Effect.fnUntraced(function* (session: AppSession, request: Asked) {
    const answer: AppAnswer = yield* sent(session, request)
    if (isOk(answer)) return answer
    if (answer.status === 403)
      return yield* new AppFailure({
        action: "reconnect",
        message: "Shopify does not allow it (403): the app lacks a scope, or the approval for protected customer data."
      })
    if (answer.status === 404)
      return yield* new AppFailure({ action: "give_up", message: "Shopify has no such shop or record (404)." })
    return yield* statusFailure("Shopify", answer, yield* Clock.currentTimeMillis)
  })

  const decoded = Effect.fnUntraced(function* <A>(schema: Schema.Decoder<A>, { text }: AppAnswer) {
    return yield* Effect.mapError(Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(text), () => unreadable)
  })

  /** Data of a GraphQL answer. */
  const graph = Effect.fnUntraced(function* <A>(
    session: AppSession,
    data: Schema.Decoder<A>,
    query: string,
    variables: Readonly<Record<string, unknown>> = {}
  ) {
    const answer = yield* asked(session, { method: "POST", path: "graphql.json", body: { query, variables } })
    const Errors = Schema.Struct({
      errors: Schema.optionalKey(
        Schema.Array(
          Schema.Struct({
            message: Schema.String,
            extensions: Schema.optionalKey(Schema.Struct({ code: Schema.optionalKey(Schema.String) }))
          })
        )
      )
    })
    const { errors = [] } = yield* decoded(Errors, answer)
    if (errors.some(({ extensions }) => extensions?.code === "THROTTLED"))
      return yield* new AppFailure({ action: "wait", message: "Shopify asks us to slow down.", retryAfterMs: 2_000 })
    if (errors.some(({ extensions }) => extensions?.code === "ACCESS_DENIED"))
      return yield* new AppFailure({
        action: "reconnect",
        message: `Shopify does not allow it: ${errors[0].message.slice(0, 200)}`
      })
    if (errors.length > 0)
      return yield* new AppFailure({
        action: "give_up",
        message: `Shopify refused: ${errors[0].message.slice(0, 200)}`
      })
    return (yield* decoded(Schema.Struct({ data }), answer)).data
  })

  return { asked, decoded, graph }
}
export type ShopifyRequests = ReturnType<typeof makeShopifyRequests>
