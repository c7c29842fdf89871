/** `/api/operator/session`: an operator signs in, sees who they are, and signs out. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleOf } from "../../../domain/basics/Examples.ts"
import { Operator } from "../../../domain/operators/Operator.ts"
import { longestPassword } from "../../../domain/people/access/User.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { OperatorAuthorization } from "../../middleware/OperatorAuthorization.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { Forbidden, TooMany, Unauthorized } from "../../wire/Errors.ts"

export const OperatorSessionView = Schema.Struct({
  operator: Operator,
  /** Clients send it in the header `X-CSRF-Token` with every change. */
  csrfToken: Schema.String,
  expiresAt: Schema.String
}).annotate({
  title: "OperatorSession",
  examples: [
    {
      operator: exampleOf(Operator),
      csrfToken: "2vQ8xYb1nK4mZ7tR0wE3uI6oP9aS5dF2gH8jL1kC4vB",
      expiresAt: "2026-11-22T22:00:00.000Z"
    }
  ]
})

export class OperatorSessionGroup extends HttpApiGroup.make("operatorSession")
  .add(
    HttpApiEndpoint.post("start", "/", {
      payload: Schema.Struct({
        email: Schema.String.check(Schema.isMaxLength(254), Schema.isPattern(/^[^\s\p{Cc}@]+@[^\s\p{Cc}@]+$/u)),
        password: Schema.String.check(Schema.isMaxLength(longestPassword))
      }).annotate({ examples: [{ email: "noor@parley.example", password: "seven quiet harbours" }] }),
      success: OperatorSessionView.pipe(HttpApiSchema.status(201)),
      error: [Unauthorized, TooMany]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "Sign in as an operator",
          description:
            "Sets the cookie `parley_operator` (HttpOnly, SameSite=Strict, only for `/api/operator`, Secure in production), for 12 hours or until an " +
            "hour without a request. Changes made with it need the `csrfToken` in the header `X-CSRF-Token`."
        })
      )
      .annotateMerge(bodyLimit(8 * 1024)),
    HttpApiEndpoint.get("get", "/", { success: OperatorSessionView, error: Unauthorized })
      .annotateMerge(OpenApi.annotations({ summary: "Get who is signed in" }))
      .middleware(OperatorAuthorization),
    HttpApiEndpoint.delete("end", "/", {
      success: Schema.Struct({ ended: Schema.Literal(true) }),
      error: [Unauthorized, Forbidden]
    })
      .annotateMerge(OpenApi.annotations({ summary: "Sign out" }))
      .middleware(OperatorAuthorization)
  )
  .middleware(Decoding)
  .prefix("/api/operator/session") {}
