/** `/api/messaging-api/quick-replies`: texts that people send often. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { oneLine } from "../../../domain/basics/PlainText.ts"
import { NewQuickReply, QuickReply, QuickReplyChanges } from "../../../domain/messaging/templates/QuickReplies.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const

export const RemovedQuickReply = Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
  examples: [{ id: exampleIds.quickReply, deleted: true }]
})

export class QuickRepliesGroup extends HttpApiGroup.make("quickReplies")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...listQuery, search: Schema.optionalKey(oneLine(200)) },
      success: listOf(QuickReply),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List quick replies, newest first",
        description:
          "`search` finds any part of shortcut or text, whatever its case and accents. Scope `messages:read`."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: NewQuickReply,
      success: QuickReply.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a quick reply",
        description:
          "`shortcut` is kept in small letters without a slash in front; one that is known is 409, the id in the header `X-Existing-Id`. `text` may " +
          "have `{{name}}`, `{{firstName}}`, `{{phone}}` and `{{email}}`, and `{{firstName|there}}` for contacts that lack it. Scope `messages:send`."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", { params, success: QuickReply, error }).annotateMerge(
      OpenApi.annotations({ summary: "Get a quick reply", description: "Scope `messages:read`." })
    ),
    HttpApiEndpoint.patch("update", "/:id", {
      params,
      payload: QuickReplyChanges,
      success: QuickReply,
      error: [...error, Conflict]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change a quick reply",
        description: "What is not sent keeps its value. Scope `messages:send`."
      })
    ),
    HttpApiEndpoint.delete("remove", "/:id", { params, success: RemovedQuickReply, error }).annotateMerge(
      OpenApi.annotations({ summary: "Delete a quick reply", description: "Scope `messages:send`." })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/quick-replies") {}
