/** `/api/events`: the events of the organization as a live stream. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { eventTypes } from "../../../domain/events/Event.ts"
import { streamedEvent } from "../../docs/EventDocs.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, TooMany } from "../../wire/Errors.ts"

const text = (maximum: number) => Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maximum)))

export class EventsGroup extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.get("stream", "/", {
      query: { types: text(2_000), lastEventId: text(200) },
      headers: Schema.Struct({ "last-event-id": text(200) }),
      success: HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" }),
      error: [BadRequest, Forbidden, TooMany]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "What happens, as server-sent events",
        description:
          "Each event has `id`, `event` (its type) and `data`: `{ id, type, createdAt, data }`. `types` names the wanted ones, separated by " +
          `commas: ${eventTypes.join(", ")}, or all of a kind (\`contact.*\`). Without it come all that the key or role may read: contacts ` +
          "need `contacts:read`, conversations `conversations:read`, messages, broadcasts and templates `messages:read`, calls " +
          "`voice:read`, orders `modules:read`, payments `integrations:read`, webhooks `admin`. `Last-Event-ID` (or `lastEventId`) goes on behind that event. If it " +
          "is not kept any more, an event `gap` says so and all that is kept follows. Comments keep the connection alive. The stream " +
          "ends (event `end`) when the key or session is not good any more.",
        transform: ({ responses, ...operation }) => ({
          ...operation,
          responses: {
            ...responses,
            200: { description: "Events, as they happen", content: { "text/event-stream": { schema: streamedEvent } } }
          }
        })
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/events") {}
