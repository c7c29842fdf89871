/** Posts webhooks to customers' servers. Nothing here fails: a refused address, a lost connection and a time-out are answers. */
import { Clock, Effect, Layer } from "effect"
import { storable } from "../../domain/basics/PlainText.ts"
import { retryAfterMs } from "../../domain/basics/RetryAfter.ts"
import { traced } from "../../domain/basics/Traced.ts"
import { type WebhookAnswer, WebhookSender } from "../../domain/events/Webhook.ts"
import { addressRefusal } from "../web/AddressRefusal.ts"
import { type ConnectionFailed, type GuardedExchangeResult, guardedExchange } from "../web/GuardedExchange.ts"
import type { Lookup, PrivateAddress } from "../web/PublicNetwork.ts"

export interface HttpWebhooksOptions {
  /** Allows endpoints on loopback and in private networks, without TLS: for demo and development. */
  readonly allowPrivateNetwork?: boolean
  /** Milliseconds until the whole answer is there. Default 15,000. */
  readonly timeoutMs?: number
  /** How names are resolved. Default: by the system's name servers, to public addresses only. */
  readonly lookup?: Lookup
}

/** The most bytes of an answer that are read. */
const maxBytes = 1_024

/** The body as text that can be stored and shown. */
const readable = (bytes: Buffer): string => storable(bytes.toString("utf8").replace(/\uFFFD+$/, ""))

const answered = ({ status, headers, bytes }: GuardedExchangeResult, now: number): WebhookAnswer => ({
  _tag: "Answered",
  status,
  retryAfterMs: retryAfterMs(headers["retry-after"], now),
  body: readable(bytes)
})

const unanswered = (error: string): WebhookAnswer => ({ _tag: "Unanswered", error })

const reason = (error: PrivateAddress | ConnectionFailed): string => {
  if (error._tag === "PrivateAddress") return "The address is not on the public internet."
  return error.sent
    ? "The connection was lost before an answer came."
    : `No connection could be made: ${error.message.slice(0, 200)}`
}

export const layer = (options: HttpWebhooksOptions = {}): Layer.Layer<WebhookSender> => {
  const { allowPrivateNetwork = false, timeoutMs = 15_000 } = options
  return Layer.succeed(WebhookSender, {
    refusal: addressRefusal({ allowPrivateNetwork }),
    post: traced("Webhooks.post")(function* (url, headers, body) {
      const answer = guardedExchange(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json", "user-agent": "Parley-Webhooks" },
        body,
        allowPrivateNetwork,
        maxBytes,
        ...(options.lookup === undefined ? {} : { lookup: options.lookup })
      })
      return yield* answer.pipe(
        Effect.flatMap((result) => Effect.map(Clock.currentTimeMillis, (now) => answered(result, now))),
        Effect.catch((error) => Effect.succeed(unanswered(reason(error)))),
        Effect.timeoutOrElse({
          duration: timeoutMs,
          orElse: () => Effect.succeed(unanswered(`No answer within ${timeoutMs / 1_000} s.`))
        })
      )
    })
  })
}
