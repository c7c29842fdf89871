/** `/api/integrations/{provider}/webhooks/{token}`: the webhooks of integrations. Each connection has an address of its own; the provider signs its requests. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Forbidden, NotFound, ServerError, TooMany, Unauthorized } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"

/** In bytes. */
export const longestAppWebhook = 1024 * 1024

export class AppWebhooksGroup extends HttpApiGroup.make("appWebhooks")
  .add(
    HttpApiEndpoint.post("receive", "/:provider/webhooks/:token", {
      params: { provider: Id, token: Schema.String },
      success: Schema.Struct({ received: Schema.Literal(true) }),
      error: [BadRequest, Unauthorized, Forbidden, NotFound, TooMany, ServerError]
    })
      .annotateMerge(
        OpenApi.annotations({
          summary: "What an integration tells",
          description:
            "The address is `webhookUrl` of the connection; 404 for any other. The body and its signature are those of the provider; 400 or 401 " +
            "otherwise. Stored before it is answered, read afterwards; told twice, it changes nothing. Some providers get another answer."
        })
      )
      .annotateMerge(bodyLimit(longestAppWebhook))
  )
  .prefix("/api/integrations") {}
