/**
 * The HTTP requests between app and engine. Every request is signed with `X-Engine-Signature`.
 *
 *   app → engine   PUT/DELETE /engine/organizations/{orgId}/agents/{agentId}   AgentConfig
 *                  POST       /engine/organizations/{orgId}/calls              CallSetup → CallPlacement | 404 (push the agent first) | 429
 *   engine → app   POST       /api/voice-agents/tool-call                      ToolCallRequest → ToolCallResponse
 *                  POST       /api/voice-agents/knowledge                      KnowledgeLookup → KnowledgeFound
 *                  POST       /api/voice-agents/notices                        CallNoticesWanted → CallNoticesFound
 *                  POST       /api/voice-agents/webhook                        CallEvent → 200 (applied now or earlier)
 */
import { Context, type Effect, Schema } from "effect"
import type { AgentConfig } from "./AgentConfig.ts"
import type { CallEvent } from "./CallEvent.ts"
import type { CallNoticesFound, CallNoticesWanted } from "./CallNotice.ts"
import type { CallPlacement, CallSetup } from "./CallSetup.ts"
import type { AgentRejected, AgentUnknown, EngineFull } from "./EngineRefusal.ts"
import type { KnowledgeFound, KnowledgeLookup } from "./KnowledgeLookup.ts"
import type { ToolCallRequest, ToolCallResponse } from "./ToolCallRequest.ts"

/**
 * The other side did not accept the request, or its answer was not understood. `status` is null when there was no answer. `retryable` is
 * false when repeating the request cannot help.
 */
export class EngineProtocolError extends Schema.TaggedError<EngineProtocolError>()("EngineProtocolError", {
  status: Schema.NullOr(Schema.Int),
  retryable: Schema.Boolean,
  message: Schema.String
}) {}

/** The engine's port to the app. */
export class AppCallbacks extends Context.Service<
  AppCallbacks,
  {
    readonly runTool: (request: ToolCallRequest) => Effect.Effect<ToolCallResponse, EngineProtocolError>
    /** Looks up what the agent's knowledge bases say. Nothing is changed by it. */
    readonly lookUp: (request: KnowledgeLookup) => Effect.Effect<KnowledgeFound, EngineProtocolError>
    /** What has happened outside of a call since, in its order. Nothing is changed by it. */
    readonly notices: (request: CallNoticesWanted) => Effect.Effect<CallNoticesFound, EngineProtocolError>
    readonly deliver: (event: CallEvent) => Effect.Effect<void, EngineProtocolError>
  }
>()("parley/domain/AppCallbacks") {}

/** The app's port to the engine. */
export class EngineClient extends Context.Service<
  EngineClient,
  {
    readonly putAgent: (config: AgentConfig) => Effect.Effect<void, EngineProtocolError>
    readonly deleteAgent: (organizationId: string, agentId: string) => Effect.Effect<void, EngineProtocolError>
    readonly placeCall: (organizationId: string, setup: CallSetup) => Effect.Effect<CallPlacement, EngineProtocolError>
  }
>()("parley/domain/EngineClient") {}

/** The operations behind the engine's HTTP routes. The actor system implements them. */
export class Engine extends Context.Service<
  Engine,
  {
    /** Validates the configuration against the chosen provider, keeps it, and synthesizes and caches disclosure and welcome. */
    readonly putAgent: (config: AgentConfig) => Effect.Effect<void, AgentRejected>
    readonly deleteAgent: (organizationId: string, agentId: string) => Effect.Effect<void>
    readonly placeCall: (
      organizationId: string,
      setup: CallSetup
    ) => Effect.Effect<CallPlacement, AgentUnknown | AgentRejected | EngineFull>
    readonly liveCalls: Effect.Effect<number>
  }
>()("parley/domain/Engine") {}
