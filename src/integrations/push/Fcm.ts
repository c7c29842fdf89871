/**
 * Push through Firebase Cloud Messaging, HTTP v1: one request per device. A refused access token is renewed once; the worker repeats what
 * failed for a passing reason. The token of a device is never logged.
 */
import { Clock, Effect, Layer, Option, Schema } from "effect"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { retryAfterMs } from "../../domain/basics/RetryAfter.ts"
import { traced } from "../../domain/basics/Traced.ts"
import {
  DeviceGone,
  type PushNotification,
  PushRefused,
  PushService,
  PushUnavailable
} from "../../domain/events/Push.ts"
import { endpoint } from "../web/BaseUrl.ts"
import { type AccessTokens, makeAccessTokens, type ServiceAccountKey } from "./ServiceAccount.ts"

export interface FcmOptions {
  readonly account: ServiceAccountKey
  /** `https://fcm.googleapis.com`. */
  readonly baseUrl: string
  /** Instead of the key's `token_uri`. */
  readonly tokenUrl?: string
  /** Milliseconds for one request; 10,000 by default. */
  readonly deadlineMs?: number
}

type Content = Pick<PushNotification, "token" | "title" | "body" | "data" | "collapseKey">

/** APNs takes 64 bytes at most. */
const collapseId = (key: string): string => key.slice(0, 64)

/** The request's body. All values of `data` are text, as FCM wants them. */
export const fcmMessage = ({ token, title, body, data, collapseKey }: Content) => ({
  message: {
    token,
    notification: { title, body },
    data,
    android: {
      priority: "HIGH",
      ttl: "3600s",
      collapse_key: collapseKey,
      notification: { channel_id: "messages", tag: collapseKey }
    },
    apns: {
      headers: { "apns-priority": "10", "apns-collapse-id": collapseId(collapseKey) },
      payload: { aps: { sound: "default", "thread-id": collapseKey } }
    },
    webpush: { headers: { TTL: "3600", Urgency: "high" }, notification: { tag: collapseKey } }
  }
})

const Detail = Schema.Struct({
  errorCode: Schema.optionalKey(Schema.String),
  fieldViolations: Schema.optionalKey(Schema.Array(Schema.Struct({ field: Schema.optionalKey(Schema.String) })))
})
const Failure = Schema.fromJsonString(
  Schema.Struct({
    error: Schema.Struct({
      message: Schema.optionalKey(Schema.String),
      status: Schema.optionalKey(Schema.String),
      details: Schema.optionalKey(Schema.Array(Detail))
    })
  })
)
const decodeFailure = Schema.decodeUnknownOption(Failure)

const quotaPauseMs = 60_000

/** What an answer other than 200 means. */
export const fcmFailure = (status: number, text: string, retryAfter: number | null) => {
  const decoded = decodeFailure(text)
  const { message = `status ${status}`, details = [], status: name } = Option.isSome(decoded) ? decoded.value.error : {}
  const code = details.find(({ errorCode }) => errorCode !== undefined)?.errorCode ?? name ?? ""
  const field = details.flatMap(({ fieldViolations = [] }) => fieldViolations).map(({ field }) => field)
  const said = `${code || status}: ${message}`.slice(0, 300)
  if (code === "UNREGISTERED" || code === "SENDER_ID_MISMATCH") return new DeviceGone({ message: said })
  if (status === 400)
    return field.includes("message.token") || /not a valid FCM registration token/i.test(message)
      ? new DeviceGone({ message: said })
      : new PushRefused({ message: said })
  if (status === 429)
    return new PushUnavailable({ message: said, retryAfterMs: Math.max(retryAfter ?? quotaPauseMs, 1_000) })
  // 401, 403 and 404 without a code concern our account: its operator can correct it, so the worker may try again.
  return new PushUnavailable({ message: said, retryAfterMs: retryAfter })
}

const unavailable = (message: string) => new PushUnavailable({ message, retryAfterMs: null })

const make = ({ account, baseUrl, tokenUrl, deadlineMs = 10_000 }: FcmOptions) => {
  const tokens: AccessTokens = makeAccessTokens(account, tokenUrl)
  const url = endpoint(baseUrl, `/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`)

  const post = Effect.fnUntraced(function* (content: Content) {
    const accessToken = yield* Effect.mapError(tokens.current, (error) =>
      unavailable(`no access token: ${error.message}`)
    )
    return yield* Effect.tryPromise({
      try: async (signal) => {
        const response = await fetch(url, {
          method: "POST",
          headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json; charset=utf-8" },
          body: JSON.stringify(fcmMessage(content)),
          redirect: "error",
          signal
        })
        return {
          status: response.status,
          retryAfter: response.headers.get("retry-after"),
          text: await response.text()
        }
      },
      catch: (cause) => unavailable(`connection lost: ${messageOf(cause)}`)
    })
  })

  const isUnauthenticated = ({ status, text }: { readonly status: number; readonly text: string }) =>
    status === 401 && !text.includes("THIRD_PARTY_AUTH_ERROR")

  return PushService.of({
    send: traced("Fcm.send")(
      function* (content) {
        const first = yield* post(content)
        const answer = isUnauthenticated(first) ? yield* Effect.andThen(tokens.renew, post(content)) : first
        if (answer.status !== 200)
          return yield* fcmFailure(
            answer.status,
            answer.text,
            retryAfterMs(answer.retryAfter, yield* Clock.currentTimeMillis) ?? null
          )
      },
      Effect.timeoutOrElse({
        duration: deadlineMs,
        orElse: () => Effect.fail(unavailable(`no answer within ${deadlineMs} ms`))
      })
    )
  })
}

/** `PushService` over HTTP; needs nothing but the options. */
export const layer = (options: FcmOptions): Layer.Layer<PushService> => Layer.sync(PushService, () => make(options))
