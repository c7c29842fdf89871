import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { makeTakeChatEvent } from "../../../domain/apps/chat/TakeChatEvent.ts"
import { AppApi } from "../../groups/Api.ts"
import { group } from "../../server/RequestServices.ts"
import { BadRequest, NotFound, tooMany, Unauthorized } from "../../wire/Errors.ts"
import { OwnAddress } from "../../wire/OwnAddress.ts"
import { makeSignatureFailures } from "../../wire/SignatureFailures.ts"

/** An event must have arrived within this time; Slack waits for three seconds, and sends it again. */
const longestTransfer = "5 seconds"
const tooSlow = new BadRequest({ error: "The event did not arrive within 5 seconds." })
/** When Slack may send again what there is no room for. */
const retryFullSeconds = 60
const slack = "slack"

/** Needs AppAdapters, ChatMappings, ArrivalQueue, Organizations and OwnAddress. */
export const layer = group(
  AppApi,
  "slackEvents",
  Effect.fn(function* (handlers) {
    const { publicBaseUrl } = yield* OwnAddress
    const events = yield* makeTakeChatEvent(slack)
    const failures = yield* makeSignatureFailures("refused an event of Slack")

    const receive = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      if (events === undefined) return yield* new NotFound({ error: "There is nothing at this address." })
      const admission = yield* failures.admit(request)
      if (admission === "known" && !failures.knows(slack))
        return yield* new Unauthorized({ error: "The signature is not valid." })
      const body = new Uint8Array(yield* Effect.orDie(request.arrayBuffer))
      const url = publicBaseUrl + request.originalUrl
      const answer = yield* Effect.tapErrorTag(
        events.take({ headers: request.headers, body, url }),
        "AppRejection",
        () => failures.failed(request)
      )
      yield* failures.good(request, [slack])
      return answer === undefined
        ? HttpServerResponse.jsonUnsafe({ received: true })
        : HttpServerResponse.jsonUnsafe({ challenge: answer })
    })

    const taken = ({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) =>
      receive(request).pipe(
        Effect.timeoutOrElse({ duration: longestTransfer, orElse: () => tooSlow }),
        Effect.catchTags({
          AppRejection: ({ status, message }) =>
            status === 401 ? new Unauthorized({ error: message }) : new BadRequest({ error: message }),
          ArrivalsFull: () =>
            tooMany("Too much that you sent is still to be read. Please send this again in a minute.", retryFullSeconds)
        })
      )
    return handlers.handleRaw("receive", taken).handleRaw("interact", taken)
  })
)
