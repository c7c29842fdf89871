/** The layers of text agents, and of summaries of calls: what asks the model outside of calls. */
import { Layer } from "effect"
import * as EvaluationWorker from "../actors/messaging/rehearsal/EvaluationWorker.ts"
import type { Settings } from "../config/Environment.ts"
import * as OpsAgent from "../domain/apps/chat/OpsAgent.ts"
import * as ShowAtWork from "../domain/apps/chat/ShowAtWork.ts"
import { TurnRunner } from "../domain/messaging/agents/TurnRunner.ts"
import { TurnRehearsal } from "../domain/messaging/rehearsal/TurnRehearsal.ts"
import { apps } from "./Apps.ts"
import { rateLimits } from "./Coordination.ts"
import { languageModel, moderation, pictures } from "./Models.ts"
import * as OpsTools from "./OpsTools.ts"
import { deals } from "./Telephony.ts"
import { toolsOfChats } from "./Tools.ts"

/** An answer in a chat may be longer than one that is spoken, and a model that reasons needs tokens before its answer. */
const maxTokens = 1_500

/** Needs the stores, MediaFiles, and what `deals` needs. */
export const textAgents = (settings: Settings) =>
  TurnRunner.layer.pipe(
    Layer.provide([
      languageModel(settings, maxTokens),
      moderation(settings),
      pictures(settings),
      toolsOfChats(settings),
      deals(settings),
      ShowAtWork.layer.pipe(Layer.provide([apps(settings), rateLimits(settings)])),
      OpsAgent.layer.pipe(Layer.provide(OpsTools.layer))
    ])
  )

/** Tries of text agents, which nobody gets. Needs the stores. */
export const rehearsals = (settings: Settings) =>
  TurnRehearsal.layer.pipe(
    Layer.provide([languageModel(settings, maxTokens), moderation(settings), toolsOfChats(settings)])
  )

/** Plays runs of evaluations. Needs the stores. */
export const evaluations = (settings: Settings) =>
  EvaluationWorker.layer.pipe(Layer.provide([rehearsals(settings), languageModel(settings, maxTokens)]))

/** The model and the filter for summaries of calls and conversations. */
export const summing = (settings: Settings) => Layer.merge(languageModel(settings, maxTokens), moderation(settings))
