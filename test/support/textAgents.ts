/** Text agents that answer over real stores: the model, the content filter and a tool's server are simulated on loopback. */

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Layer } from "effect"
import * as LanguageModel from "../../simulators/language-model/LanguageModel.ts"
import type { Script } from "../../simulators/language-model/Script.ts"
import * as Moderation from "../../simulators/moderation/Moderation.ts"
import * as Commands from "../../src/actors/messaging/conversations/Commands.ts"
import * as TurnSweep from "../../src/actors/messaging/conversations/TurnSweep.ts"
import { makeKnowledgeTool } from "../../src/domain/ai/knowledge/KnowledgeTool.ts"
import { noPictures, PictureViews } from "../../src/domain/ai/providers/Pictures.ts"
import { BuiltinTools } from "../../src/domain/ai/tools/BuiltinTools.ts"
import { McpClient } from "../../src/domain/ai/tools/McpClient.ts"
import { newId } from "../../src/domain/basics/Ids.ts"
import { chatBuiltins } from "../../src/domain/messaging/agents/ChatTools.ts"
import { type TextAgent, TextAgents, textAgentDefaults } from "../../src/domain/messaging/agents/TextAgent.ts"
import { TurnRunner } from "../../src/domain/messaging/agents/TurnRunner.ts"
import { Deals } from "../../src/domain/voice/calls/records/Deals.ts"
import * as Cluster from "../../src/integrations/cluster/Cluster.ts"
import * as ChatCompletions from "../../src/integrations/llm/ChatCompletions.ts"
import * as OpenAiModeration from "../../src/integrations/moderation/OpenAiModeration.ts"
import * as ToolHandlers from "../../src/integrations/tools/ToolHandlers.ts"

export interface Models {
  readonly modelUrl: string
  readonly filterUrl: string
}

const builtinTools = Layer.effect(
  BuiltinTools,
  Effect.map(makeKnowledgeTool, (knowledge) => ({ tools: [knowledge, ...chatBuiltins] }))
)

/** The language model and the content filter at these addresses. */
export const modelsOf = ({ modelUrl, filterUrl }: Models, firstTokenTimeoutMs = 5_000) =>
  Layer.merge(
    ChatCompletions.layer({
      baseUrl: modelUrl,
      apiKey: "key",
      models: ["test-model"],
      pictureModels: ["seeing-model"],
      maxTokens: 500,
      temperature: 0,
      firstTokenTimeoutMs,
      patienceMs: 200
    }),
    OpenAiModeration.layer({ baseUrl: filterUrl, apiKey: "key" })
  )

const unseen: Layer.Layer<PictureViews> = Layer.succeed(PictureViews, noPictures)

const noMcpServer: Layer.Layer<McpClient> = Layer.mock(McpClient, { refusal: () => undefined })

/** What carries out turns, over these models. Needs the stores. */
const turnRunner = (
  models: Models,
  firstTokenTimeoutMs?: number,
  mcp = noMcpServer,
  pictures = unseen,
  deals = Deals.layerIdOnly
) =>
  TurnRunner.layer.pipe(
    Layer.provide([
      pictures,
      deals,
      modelsOf(models, firstTokenTimeoutMs),
      ToolHandlers.layer({ allowPrivateNetwork: true }).pipe(Layer.provide([builtinTools, mcp]))
    ])
  )

/** The actors of conversations in this process, with text agents and the sweep. Needs the stores. */
export const answering = (
  models: Models,
  mcp?: Layer.Layer<McpClient>,
  pictures?: Layer.Layer<PictureViews>,
  deals?: Layer.Layer<Deals>
) =>
  TurnSweep.layer.pipe(
    Layer.provideMerge(Commands.layer),
    Layer.provide(turnRunner(models, undefined, mcp, pictures, deals)),
    Layer.provide(Cluster.layerAlone)
  )

export interface ModelOptions extends LanguageModel.LanguageModelOptions {
  readonly flagWords?: ReadonlyArray<string>
  /** The filter takes no pictures. */
  readonly textsOnly?: boolean
}

/** The simulated model and filter. They close with the scope. */
export const startModels = ({ flagWords = [], textsOnly = false, ...options }: ModelOptions = {}) =>
  Effect.gen(function* () {
    const model = yield* Effect.acquireRelease(
      Effect.promise(() =>
        LanguageModel.start({ firstTokenMs: 5, perTokenMs: 0, pictureModels: ["seeing-model"], ...options })
      ),
      ({ close }) => Effect.promise(close)
    )
    const filter = yield* Effect.acquireRelease(
      Effect.promise(() => Moderation.start({ flagWords, textsOnly })),
      ({ close }) => Effect.promise(close)
    )
    return { model, filter, modelUrl: model.url, filterUrl: filter.url }
  })

export type { Script }

/** A customer's server for a tool. `asked` are the requests that it took; `answer` may be changed. */
export const startTool = Effect.acquireRelease(
  Effect.promise(async () => {
    const state: {
      answer: string
      delayMs: number
      asked: Array<{ method: string; url: string; key: string; body: string }>
    } = {
      answer: "ok",
      delayMs: 0,
      asked: []
    }
    const server = createServer((request, response) => {
      const pieces: Array<Buffer> = []
      request.on("data", (piece: Buffer) => pieces.push(piece))
      request.on("end", () => {
        const { method = "", url = "", headers } = request
        state.asked.push({
          method,
          url,
          key: String(headers["idempotency-key"]),
          body: Buffer.concat(pieces).toString()
        })
        setTimeout(() => response.end(state.answer), state.delayMs)
      })
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tool`
    return { state, url, close: () => server.close() }
  }),
  ({ close }) => Effect.sync(close)
)

/** A text agent, stored. It answers as soon as it can. */
export const newTextAgent = Effect.fnUntraced(function* (organizationId: string, changes: Partial<TextAgent> = {}) {
  const at = new Date().toISOString()
  const settings = { ...textAgentDefaults, answers: "when_unassigned", channels: ["messaging"] } as const
  const agent: TextAgent = {
    ...settings,
    id: newId("bot"),
    organizationId,
    name: `Agent ${newId("bot")}`,
    systemPrompt: "You answer for a bookshop.",
    limits: { ...settings.limits, waitMs: 0 },
    createdAt: at,
    updatedAt: at,
    ...changes
  }
  yield* (yield* TextAgents).create(agent, 100)
  return agent
})
