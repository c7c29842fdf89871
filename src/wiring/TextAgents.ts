/** The layers of text agents, and of summaries of calls: what asks the model outside of calls. */
import { Layer } from "effect"
import type { Settings } from "../config/Environment.ts"
import * as OpsAgent from "../domain/apps/chat/OpsAgent.ts"
import * as ShowAtWork from "../domain/apps/chat/ShowAtWork.ts"
import { TurnRunner } from "../domain/messaging/agents/TurnRunner.ts"
import { apps } from "./Apps.ts"
import { rateLimits } from "./Coordination.ts"
import { languageModel, moderation, pictures } from "./Models.ts"
import * as OpsTools from "./OpsTools.ts"
import { toolsOfChats } from "./Tools.ts"

/** An answer in a chat may be longer than one that is spoken, and a model that reasons needs tokens before its answer. */
const maxTokens = 1_500

/** Needs the stores and MediaFiles. */
export const textAgents = (settings: Settings) =>
  TurnRunner.layer.pipe(
    Layer.provide([
      languageModel(settings, maxTokens),
      moderation(settings),
      pictures(settings),
      toolsOfChats(settings),
      ShowAtWork.layer.pipe(Layer.provide([apps(settings), rateLimits(settings)])),
      OpsAgent.layer.pipe(Layer.provide(OpsTools.layer))
    ])
  )

/** The model and the filter for summaries of calls and conversations. */
export const summing = (settings: Settings) => Layer.merge(languageModel(settings, maxTokens), moderation(settings))
