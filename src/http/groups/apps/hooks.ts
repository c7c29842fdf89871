/** `/api/integrations/hooks`: automation tools (Zapier, Make, n8n) subscribe their addresses to events. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { exampleIds, exampleOf } from "../../../domain/basics/Examples.ts"
import { Hook, HookSample, mostHooks, mostSamples, NewHook, TriggerType } from "../../../domain/events/Hook.ts"
import { Authorization } from "../../middleware/Authorization.ts"
import { Decoding } from "../../middleware/Decoding.ts"
import { needsFeature } from "../../wire/caller/CallerNeeds.ts"
import { BadRequest, Conflict, Forbidden, NotFound } from "../../wire/Errors.ts"
import { Id } from "../../wire/Id.ts"
import { ShownOnce } from "../../wire/ShownOnce.ts"

/** In the query, since a part of the path after `/api/integrations/` names a provider or what is asked of it. */
const query = { id: Id }
const error = [BadRequest, Forbidden, NotFound] as const
/** A hook with its `secret`, which no later answer shows. */
const WithSecret = Schema.Struct({ ...Hook.fields, secret: Schema.String }).annotate({
  title: "HookWithSecret",
  examples: [{ ...exampleOf(Hook), secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD" }]
})

export class HooksGroup extends HttpApiGroup.make("hooks")
  .add(
    HttpApiEndpoint.post("subscribe", "/", {
      payload: NewHook,
      success: WithSecret.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Forbidden, Conflict]
    })
      .annotateMerge(needsFeature("automation"))
      .annotate(ShownOnce, ["secret"])
      .annotateMerge(
        OpenApi.annotations({
          summary: "Subscribe an address to a type of events",
          description:
            "It is posted each such event from now on, as a webhook. An answer of 410 unsubscribes it, and so does the end of the API key that " +
            "subscribed it. The same address and event again keep the hook, with a new secret. At most " +
            `${mostHooks} hooks. Starter plan or higher; scope \`integrations:write\`, and the scope that reads the event.`
        })
      ),
    HttpApiEndpoint.get("get", "/", { query, success: Hook, error }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a hook",
        description: "For tools that look whether a hook is still there. Scope `integrations:write`."
      })
    ),
    HttpApiEndpoint.delete("unsubscribe", "/", {
      query,
      success: Schema.Struct({ id: Schema.String, deleted: Schema.Literal(true) }).annotate({
        examples: [{ id: exampleIds.webhook, deleted: true }]
      }),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Unsubscribe an address",
        description: "404 says that it was unsubscribed before. Scope `integrations:write`."
      })
    ),
    HttpApiEndpoint.get("samples", "/samples/:event", {
      params: { event: TriggerType },
      success: Schema.Array(HookSample),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "The newest events of a type, as a hook gets them",
        description:
          `At most ${mostSamples} real events of the organization, newest first; empty when there was none of late. Scope ` +
          "`integrations:read`, and the scope that reads the event."
      })
    )
  )
  .middleware(Decoding)
  .middleware(Authorization)
  .prefix("/api/integrations/hooks") {}
