/** The tools of agents, those that this service has itself and what runs the others; and the knowledge that agents look things up in. */
import { Effect, Layer, Option, Redacted } from "effect"
import * as EmbedWorker from "../actors/knowledge/EmbedWorker.ts"
import * as SyncWorker from "../actors/knowledge/SyncWorker.ts"
import type { Settings } from "../config/Environment.ts"
import { makeKnowledgeTool } from "../domain/ai/knowledge/KnowledgeTool.ts"
import { BuiltinTools } from "../domain/ai/tools/BuiltinTools.ts"
import { makeCompanyTool } from "../domain/business/tools/CompanyTool.ts"
import { makeOrderTool } from "../domain/business/tools/OrderTool.ts"
import { makeProductTool } from "../domain/business/tools/ProductTool.ts"
import { chatBuiltins } from "../domain/messaging/agents/ChatTools.ts"
import { LinkSender } from "../domain/payments/LinkSender.ts"
import { makePaymentStatusTool, makePaymentTool } from "../domain/payments/PaymentTools.ts"
import * as DocumentReaderThread from "../integrations/documents/DocumentReaderThread.ts"
import * as GuardedWebSites from "../integrations/documents/GuardedWebSites.ts"
import * as OpenAiEmbeddings from "../integrations/embeddings/OpenAiEmbeddings.ts"
import * as McpCredentials from "../integrations/mcp/McpCredentials.ts"
import * as McpOAuthClient from "../integrations/mcp/McpOAuthClient.ts"
import * as McpPool from "../integrations/mcp/McpPool.ts"
import * as NotionKnowledge from "../integrations/notion/NotionKnowledge.ts"
import * as ToolHandlers from "../integrations/tools/ToolHandlers.ts"
import * as SimilarPassagesThreads from "../integrations/vectors/SimilarPassagesThreads.ts"
import { publicBaseUrl } from "./Addresses.ts"
import { apps } from "./Apps.ts"
import { rateLimits } from "./Coordination.ts"
import { moderation } from "./Models.ts"

/** The built-in tools. `sender` sends payment links. */
const builtin = <E, R>(settings: Settings, sender: Layer.Layer<LinkSender, E, R>) =>
  Layer.effect(
    BuiltinTools,
    Effect.gen(function* () {
      const tools = yield* Effect.all([makeKnowledgeTool, makeOrderTool, makeProductTool, makeCompanyTool])
      const payments = [yield* makePaymentTool(publicBaseUrl(settings)), yield* makePaymentStatusTool]
      return { tools: [...tools, ...payments, ...chatBuiltins] }
    })
  ).pipe(Layer.provide([sender, apps(settings), rateLimits(settings)]))

/** The connections with external MCP servers, and their authorization. */
const mcp = ({ allowPrivateTools: allowPrivateNetwork }: Settings) =>
  McpPool.layer({ allowPrivateNetwork }).pipe(
    Layer.provide(McpCredentials.layer),
    Layer.provideMerge(McpOAuthClient.layer({ allowPrivateNetwork }))
  )

const tools = <E, R>(settings: Settings, sender: Layer.Layer<LinkSender, E, R>) =>
  ToolHandlers.layer({ allowPrivateNetwork: settings.allowPrivateTools }).pipe(
    Layer.provideMerge(Layer.merge(builtin(settings, sender), mcp(settings)))
  )

/** Of calls: a link goes by message. */
export const toolsOfCalls = (settings: Settings) =>
  tools(settings, LinkSender.layer.pipe(Layer.provide(rateLimits(settings))))

/** Of chats: an agent writes a link in its answer. */
export const toolsOfChats = (settings: Settings) => tools(settings, LinkSender.layerNone)

/** Reads documents and pages into knowledge bases. */
export const knowledge = (settings: Settings) =>
  SyncWorker.layer.pipe(
    Layer.provide([
      DocumentReaderThread.layer(),
      GuardedWebSites.layer({ allowPrivateNetwork: settings.allowPrivateTools }),
      NotionKnowledge.layer(settings.notion.baseUrl).pipe(Layer.provide([apps(settings), rateLimits(settings)])),
      moderation(settings)
    ])
  )

/** Makes vectors of what is in knowledge bases, and finds passages by them. Nothing without EMBEDDINGS_MODEL. */
export const vectors = ({ embeddings: { baseUrl, key, model, dimensions, leastCosine, memoryMb } }: Settings) =>
  Option.match(model, {
    onNone: () => Layer.empty,
    onSome: (model) =>
      Layer.merge(
        EmbedWorker.layer,
        SimilarPassagesThreads.layer({ leastCosine, mostBytes: memoryMb * 1_024 * 1_024 })
      ).pipe(
        Layer.provide(
          OpenAiEmbeddings.layer({
            baseUrl,
            model,
            apiKey: Option.getOrUndefined(Option.map(key, Redacted.value)),
            dimensions: Option.getOrUndefined(dimensions)
          })
        )
      )
  })
