/** `/api/messaging-api/templates`: the message templates of the channel, as of the last sync. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { plainText } from "../../../domain/basics/PlainText.ts"
import { Template, TemplateSync } from "../../../domain/messaging/templates/Templates.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"

export class TemplatesGroup extends HttpApiGroup.make("templates")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...listQuery,
        name: Schema.optionalKey(plainText(512)),
        status: Schema.optionalKey(plainText(64)),
        language: Schema.optionalKey(plainText(20))
      },
      success: listOf(Template),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List templates",
        description:
          "As the channel told of them at the last sync, newest first. `name` is the whole name, `status` the channel's word (`APPROVED`, " +
          "`PENDING`, `REJECTED` …) or `REMOVED`, `language` the channel's spelling (`en_US`). `parameters` says what a message has to " +
          "bring. Scope `messages:read`."
      })
    ),
    HttpApiEndpoint.get("get", "/:id", {
      params: { id: Id },
      success: Template,
      error: [BadRequest, Forbidden, NotFound]
    }).annotateMerge(OpenApi.annotations({ summary: "Get a template", description: "Scope `messages:read`." })),
    HttpApiEndpoint.post("sync", "/sync", {
      success: TemplateSync,
      error: [BadRequest, Forbidden, Conflict, ServerError]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sync the templates from the channel, now",
        description:
          "It also happens by itself, hourly and when the channel tells of a template. Templates that the channel has no more become " +
          "`REMOVED`; a changed status is an event `template.updated`. 409 without a connected channel, or when the channel refuses. " +
          "Scope `messages:send`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/templates") {}
