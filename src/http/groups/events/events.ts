/** `/api/events`: the events of the organization as a live stream. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds } from "../../../domain/basics/Examples.ts"
import { eventTypes } from "../../../domain/events/Event.ts"
import { passingTypes } from "../../../domain/events/PassingEvent.ts"
import { mostWatched } from "../../../domain/voice/engine/CallWatch.ts"
import { streamedEvent } from "../../docs/EventDocs.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { BadRequest, Forbidden, NotFound, TooMany } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"

const text = (maximum: number) => Schema.optionalKey(Schema.String.check(Schema.isMaxLength(maximum)))

const Watch = Schema.Struct({ calls: Schema.Array(Id).check(Schema.isMaxLength(mostWatched)) }).annotate({
  title: "WatchedCalls",
  examples: [{ calls: [exampleIds.call] }]
})

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
          `commas: ${[...eventTypes, ...passingTypes].join(", ")}, or all of a kind (\`contact.*\`). Without it come all that the key or role may read: contacts ` +
          "need `contacts:read`, conversations `conversations:read`, messages, broadcasts and templates `messages:read`, calls " +
          "`voice:read`, orders `modules:read`, payments `integrations:read`, webhooks `admin`. `Last-Event-ID` (or `lastEventId`) goes on behind that event. If it " +
          "is not kept any more, an event `gap` says so and all that is kept follows. " +
          `Passing events (${passingTypes.join(", ")}) have no id: they are not kept, and not sent again. ` +
          "Comments keep the connection alive. The stream " +
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
  .add(
    HttpApiEndpoint.put("watch", "/:streamId/watch", {
      params: { streamId: Id },
      payload: Watch,
      success: Schema.Struct({ streamId: Schema.String, calls: Schema.Array(Schema.String) }).annotate({
        examples: [{ streamId: "str_01KAJ2ZF3M2P5S8V1X4Z7B9DKE", calls: [exampleIds.call] }]
      }),
      error: [BadRequest, Forbidden, NotFound]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Choose the calls whose words a stream brings",
        description:
          "`call.words` and `call.turn` come for these calls only; they replace those of before. The id of a stream is in its header `X-Stream-Id`; when the " +
          "stream ends, so does the watching. Only who reads the stream may. Scope `voice:read`."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/events") {}
