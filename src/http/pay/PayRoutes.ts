/**
 * `/pay/{id}`: the page of a payment link whose provider has no lasting page of its own. A GET shows it and asks nobody, because programs look at links
 * before people do; the button begins the payment; the provider sends the payer back with `token`.
 */
import { Context, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { rowOf } from "../../domain/apps/Catalogue.ts"
import { makePayByPage } from "../../domain/payments/PayByPage.ts"
import type { PaymentRefused, PaymentUnavailable } from "../../domain/payments/PaymentProviders.ts"
import { bodyLimit } from "../wire/BodyLimit.ts"
import { OwnAddress } from "../wire/OwnAddress.ts"
import { problemPage } from "../wire/pages/Page.ts"
import type { Declared } from "../wire/RoutePatterns.ts"
import { payPage } from "./PayPage.ts"

const path = "/pay/:id"
/** The button sends nothing. */
const longestBody = 1_024

/** Which requests these routes take, for the limits of bodies and for 405. */
export const PayDeclared: Declared = {
  groups: {
    pay: {
      endpoints: {
        show: { method: "GET", path, annotations: Context.empty() },
        begin: { method: "POST", path, annotations: bodyLimit(longestBody) }
      }
    }
  }
}

const problems = {
  PaymentLinkNotFound: () =>
    Effect.succeed(problemPage(404, "There is no such payment", "Check the address of the link.")),
  PaymentRefused: ({ message }: PaymentRefused) =>
    Effect.as(
      Effect.logWarning("a payment could not be begun", { reason: message }),
      problemPage(400, "This cannot be paid now", "Ask whoever sent you the link for a new one.")
    ),
  PaymentUnavailable: ({ message }: PaymentUnavailable) =>
    Effect.as(
      Effect.logWarning("a payment could not be begun", { reason: message }),
      problemPage(500, "This cannot be paid now", "The payment provider does not answer. Try it again in a moment.")
    )
}

/** Needs OwnAddress and what `makePayByPage` needs. */
export const layer = HttpRouter.use(
  Effect.fn(function* (router) {
    const { publicBaseUrl } = yield* OwnAddress
    const { show, begin, returned } = yield* makePayByPage(publicBaseUrl)

    const idOf = Effect.map(HttpRouter.params, ({ id = "" }) => id)
    const shown = (state: Effect.Success<ReturnType<typeof show>>) =>
      payPage({ ...state, provider: rowOf(state.link.provider).title })

    const showing = Effect.gen(function* () {
      const id = yield* idOf
      const { originalUrl } = yield* HttpServerRequest.HttpServerRequest
      const [token, another] = new URLSearchParams(originalUrl.split("?")[1] ?? "").getAll("token")
      return shown(yield* token === undefined || another !== undefined ? show(id) : returned(id, token))
    })
    const beginning = Effect.gen(function* () {
      const id = yield* idOf
      const url = yield* begin(id)
      return url === undefined ? shown(yield* show(id)) : HttpServerResponse.redirect(url, { status: 303 })
    })
    yield* router.add("GET", path, Effect.catchTags(showing, problems))
    yield* router.add("POST", path, Effect.catchTags(beginning, problems))
  })
)
