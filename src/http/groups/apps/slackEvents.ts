/** `/api/integrations/slack/events` and `…/interactions`: what Slack tells the operator's app. They serve all organizations; Slack signs its requests. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { BadRequest, Forbidden, NotFound, ServerError, TooMany, Unauthorized } from "../../wire/Errors.ts"

/** In bytes. An event has one message, of at most 40,000 characters, once or twice. */
export const longestSlackEvent = 1024 * 1024

const answers = {
  success: Schema.Union([
    Schema.Struct({ received: Schema.Literal(true) }),
    Schema.Struct({ challenge: Schema.String })
  ]).annotate({ examples: [{ received: true }] }),
  error: [BadRequest, Unauthorized, Forbidden, NotFound, TooMany, ServerError]
} as const

export class SlackEventsGroup extends HttpApiGroup.make("slackEvents")
  .add(
    HttpApiEndpoint.post("receive", "/events", answers)
      .annotateMerge(
        OpenApi.annotations({
          summary: "What Slack tells",
          description:
            "Signed by Slack (`X-Slack-Signature`, at most five minutes old); 401 otherwise. Stored for the organization that has the channel before it is " +
            "answered, worked on afterwards; told twice, it changes nothing. Slack's first request is answered with its challenge. 404 when the operator " +
            "has no app of Slack."
        })
      )
      .annotateMerge(bodyLimit(longestSlackEvent)),
    HttpApiEndpoint.post("interact", "/interactions", answers)
      .annotateMerge(
        OpenApi.annotations({
          summary: "What somebody presses in Slack",
          description:
            "Signed and stored like events; a button that is told twice is pressed once. The form has one field, `payload`. Who presses is matched with a user " +
            "of the organization by the e-mail address; others are told so, and nothing happens."
        })
      )
      .annotateMerge(bodyLimit(longestSlackEvent))
  )
  .prefix("/api/integrations/slack") {}
