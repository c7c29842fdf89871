/** `/api/integrations/slack`: the channels of the organization's workspace, and who answers in them. The pages of the pop-up are in `http/oauth`. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ChatMapping, GivenMappings, ShownChannel } from "../../../domain/apps/chat/ChatMapping.ts"
import { exampleOf } from "../../../domain/basics/Examples.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { needsFeature } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Conflict, Forbidden, NotFound, ServerError } from "../../wire/Errors.ts"

const error = [BadRequest, Forbidden, NotFound, ServerError] as const
const Mappings = Schema.Struct({ data: Schema.Array(ChatMapping) }).annotate({
  title: "ChatMappings",
  examples: [{ data: [exampleOf(ChatMapping)] }]
})

export class SlackGroup extends HttpApiGroup.make("slack")
  .add(
    HttpApiEndpoint.get("channels", "/channels", {
      query: { search: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(100))) },
      success: Schema.Struct({ data: Schema.Array(ShownChannel) }),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Channels of the workspace",
        description:
          "Those whose name has the words of `search`, 100 at most; private ones only when the app was invited. `isTaken`: another organization of this " +
          "service has the channel. Read anew every minute. Scope `admin`."
      })
    ),
    HttpApiEndpoint.get("mappings", "/mappings", { success: Mappings, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Who answers in which channel",
        description:
          "`direct` is all direct messages to the app. `problem` says what is wrong with a channel. Scope `admin`."
      })
    ),
    HttpApiEndpoint.put("replaceMappings", "/mappings", {
      payload: GivenMappings,
      success: Mappings,
      error: [...error, Conflict]
    })
      .annotateMerge(needsFeature("integrations"))
      .annotateMerge(
        OpenApi.annotations({
          summary: "Choose who answers in which channel",
          description:
            "Replaces all mappings. `alerts`: what the channel is told of. `dailySummaryAt`: when it gets a summary of the day. The app joins public channels; into private ones it must be invited first. A channel belongs to one organization: 409 " +
            "for one that another has. Threads that somebody answers stay with them. Scope `admin`."
        })
      )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/integrations/slack") {}
