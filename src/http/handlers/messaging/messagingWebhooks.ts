import { Effect, Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ChannelAccounts } from "../../../domain/messaging/channel/ChannelConnection.ts"
import { makeTakeChannelWebhook } from "../../../domain/messaging/channel/cloudapi/TakeChannelWebhook.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Forbidden, tooMany } from "../../wire/Errors.ts"
import { makeSignatureFailures } from "../../wire/SignatureFailures.ts"

/** A webhook must have arrived and be stored within this time; the channel sends it again otherwise. */
const longestTransfer = "1 minute"
const tooSlow = new BadRequest({ error: "The webhook did not arrive within a minute." })
const full = "Too much of what was sent for this organization is not worked on yet. Please send it again later."
const fullForSeconds = 30
const forbidden = new Forbidden({ error: "The signature of this webhook is not valid." })

/** Needs ChannelAccounts, ChannelInbox and InboxWakeUp. */
export const layer = group(
  AppApi,
  "messagingWebhooks",
  Effect.fn(function* (handlers) {
    const accounts = yield* ChannelAccounts
    const takeWebhook = yield* makeTakeChannelWebhook

    const failures = yield* makeSignatureFailures("refused a webhook of the messaging channel")

    const receive = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const admission = yield* failures.admit(request)
      const { receivers } = yield* takeWebhook({
        body: Stream.orDie(request.stream),
        signature: request.headers["x-hub-signature-256"],
        searches: (id) => admission === "any" || failures.knows(id)
      }).pipe(
        Effect.timeoutOrElse({ duration: longestTransfer, orElse: () => tooSlow }),
        Effect.catchTags({
          ChannelWebhookRefused: () => Effect.andThen(failures.failed(request), forbidden),
          InboxFull: () => tooMany(full, fullForSeconds),
          JsonInvalid: () => new BadRequest({ error: "The body must be a JSON object." })
        })
      )
      yield* failures.good(request, receivers)
      return HttpServerResponse.jsonUnsafe({ received: true })
    })

    return handlers
      .handleRaw("receive", ({ request }) => receive(request))
      .handleRaw(
        "verify",
        Effect.fnUntraced(function* ({ query }) {
          const { "hub.mode": mode, "hub.verify_token": token = "", "hub.challenge": challenge = "" } = query
          const known = mode === "subscribe" && token !== "" && (yield* accounts.knowsVerifyToken(token))
          if (!known) return yield* new Forbidden({ error: "The verify token is not that of a connection." })
          // Only a plain challenge is returned, so that a client that knows the token cannot make this address return a page of its own.
          if (!/^[\w.-]{1,200}$/.test(challenge)) return yield* new Forbidden({ error: "hub.challenge is not valid." })
          return HttpServerResponse.text(challenge)
        })
      )
  })
)
