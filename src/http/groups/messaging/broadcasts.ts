/** `/api/messaging-api/broadcasts`: one template to many contacts. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Instant } from "../../../domain/basics/Calendar.ts"
import { plainText } from "../../../domain/basics/PlainText.ts"
import { Audience } from "../../../domain/messaging/broadcasts/Audience.ts"
import { Broadcast, BroadcastPreview, BroadcastStatus } from "../../../domain/messaging/broadcasts/Broadcast.ts"
import { BroadcastRecipient, RecipientStatus } from "../../../domain/messaging/broadcasts/BroadcastRecipient.ts"
import { outgoingTypes } from "../../../domain/messaging/sending/OutgoingMessage.ts"
import { broadcastRefusal } from "../../../domain/people/organizations/Organization.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { bodyLimit } from "../../wire/BodyLimit.ts"
import { needsPlan, ofLeaders } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { listOf, listQuery } from "../../wire/Listing.ts"

const params = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const
const { templateName, language, components } = outgoingTypes.template.fields

const NewBroadcast = Schema.Struct({
  name: plainText(120),
  templateName,
  language,
  components: Schema.optionalKey(components),
  audience: Audience,
  scheduledAt: Schema.optionalKey(Instant),
  /** With true nothing is created: the answer counts the contacts that the broadcast would reach. */
  dryRun: Schema.optionalKey(Schema.Boolean)
}).annotate({
  title: "NewBroadcast",
  examples: [
    {
      name: "Reading with Ada Quill",
      templateName: "order_ready",
      language: "en_US",
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", text: "{{firstName|there}}" },
            { type: "text", text: "2041" }
          ]
        }
      ],
      audience: { tags: ["book club"] }
    }
  ]
})

const action = (name: "start" | "pause" | "resume" | "cancel", summary: string, description: string) =>
  HttpApiEndpoint.post(name, `/:id/${name}`, { params, success: Broadcast, error: [...error, Conflict] })
    .annotateMerge(ofLeaders("send broadcasts"))
    .annotateMerge(
      OpenApi.annotations({
        summary,
        description: `${description} Scope \`messages:send\`; of people OWNER and ADMIN.`
      })
    )

export class BroadcastsGroup extends HttpApiGroup.make("broadcasts")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...listQuery, status: Schema.optionalKey(BroadcastStatus) },
      success: listOf(Broadcast),
      error: [BadRequest, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List broadcasts, newest first",
        description: "With the counters of this moment. Scope `messages:read`."
      })
    ),
    HttpApiEndpoint.post("create", "/", {
      payload: NewBroadcast,
      success: [Broadcast.pipe(HttpApiSchema.status(201)), BroadcastPreview],
      error: [BadRequest, Forbidden]
    })
      .annotateMerge(needsPlan(broadcastRefusal))
      .annotateMerge(ofLeaders("send broadcasts"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create a broadcast, or see whom it would reach",
          description:
            "With `scheduledAt` it starts by itself, otherwise when it is started. `audience` is contacts with any of `tags`, those of " +
            "`contactIds`, and with `all` everybody who has opted in. Texts of `components` may have `{{name}}`, `{{firstName}}`, `{{phone}}` and " +
            "`{{email}}`, with a replacement for contacts that lack it: `{{firstName|there}}`. With `dryRun` nothing is made, and the answer " +
            "(200) counts who would get it. 403 when the plan has no broadcasts. Scope `messages:send`; of people OWNER and ADMIN."
        })
        // 10,000 ids of contacts.
      )
      .annotateMerge(bodyLimit(512 * 1024)),
    HttpApiEndpoint.get("get", "/:id", { params, success: Broadcast, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a broadcast with its counters",
        description:
          "Each recipient is counted in one place: `total` is the sum of `queued`, `unknown`, `sent`, `delivered`, `read`, `failed` and `skipped`. " +
          "Scope `messages:read`."
      })
    ),
    HttpApiEndpoint.get("recipients", "/:id/recipients", {
      params,
      query: { ...listQuery, status: Schema.optionalKey(RecipientStatus) },
      success: listOf(BroadcastRecipient),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the recipients of a broadcast, in the order they are sent",
        description: "Empty before the start. `reason` says why one was skipped or failed. Scope `messages:read`."
      })
    ),
    action(
      "start",
      "Start a broadcast now",
      "Its audience is frozen: who is added later gets nothing. 403 when it has more recipients than the plan allows, 409 when its template " +
        "cannot be sent or it has ended."
    ),
    action("pause", "Pause a running broadcast", "When this is answered nobody who was still waiting is sent to."),
    action("resume", "Resume a paused broadcast", "It goes on with those who wait."),
    action(
      "cancel",
      "Cancel a broadcast for good",
      "Who was waiting is skipped as `cancelled`; messages that are stored already still go out."
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/messaging-api/broadcasts") {}
