import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { AppRejection } from "../../../domain/apps/AppInbound.ts"
import type { AppFailure } from "../../../domain/apps/AppSession.ts"
import { makeTakeWebhook, UnknownWebhook } from "../../../domain/apps/incoming/TakeWebhook.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, Forbidden, NotFound, ServerError, tooMany, Unauthorized } from "../../wire/Errors.ts"
import { OwnAddress } from "../../wire/OwnAddress.ts"
import { makeSignatureFailures } from "../../wire/SignatureFailures.ts"

/** A webhook must have arrived and be stored within this time; the provider sends it again otherwise. */
const longestTransfer = "30 seconds"
const tooSlow = new BadRequest({ error: "The webhook did not arrive within 30 seconds." })

/** When a provider may try again that has sent more than is read. */
const retryFullSeconds = 60

const rejections = { 400: BadRequest, 401: Unauthorized, 403: Forbidden }
const rejected = ({ status, message }: AppRejection) => new rejections[status]({ error: message })

/** Needs AppConnections, ArrivalQueue, AppAdapters, Exclusive, HttpClient, RateLimiter and OwnAddress. */
export const layer = group(
  AppApi,
  "appWebhooks",
  Effect.fn(function* (handlers) {
    const { publicBaseUrl } = yield* OwnAddress
    const { find, take } = yield* makeTakeWebhook
    const failures = yield* makeSignatureFailures("refused a webhook of an integration")

    const receive = Effect.fnUntraced(function* (
      request: HttpServerRequest.HttpServerRequest,
      { provider, token }: { readonly provider: string; readonly token: string }
    ) {
      const admission = yield* failures.admit(request)
      const counted = failures.failed(request, { provider })
      if (admission === "known" && !failures.knows(token)) return yield* new UnknownWebhook()
      const connection = yield* Effect.tapError(find(provider, token), () => counted)
      const body = new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
      const url = publicBaseUrl + request.originalUrl
      const answer = yield* Effect.tapErrorTag(
        take(connection, { headers: request.headers, body, url }),
        "AppRejection",
        () => counted
      )
      yield* failures.good(request, [token])
      if (answer === undefined) return HttpServerResponse.jsonUnsafe({ received: true })
      const { status, contentType } = answer
      return HttpServerResponse.text(answer.body, { status, contentType })
    })

    return handlers.handleRaw("receive", ({ request, params }) =>
      receive(request, params).pipe(
        Effect.timeoutOrElse({ duration: longestTransfer, orElse: () => tooSlow }),
        Effect.catchTags({
          UnknownWebhook: () => new NotFound({ error: "There is nothing at this address." }),
          AppRejection: rejected,
          ArrivalsFull: () =>
            tooMany(
              "Too much that you sent is still to be read. Please send this again in a minute.",
              retryFullSeconds
            ),
          AppFailure: ({ message }: AppFailure) => new ServerError({ error: `${message} Please send it again.` })
        })
      )
    )
  })
)
