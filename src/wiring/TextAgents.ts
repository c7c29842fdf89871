/** The layers of text agents, and of summaries of calls: what asks the model outside of calls. */
import { Layer } from "effect"
import type { Settings } from "../config/Environment.ts"
import { TurnRunner } from "../domain/messaging/agents/TurnRunner.ts"
import { languageModel, moderation } from "./Models.ts"
import { toolsOfChats } from "./Tools.ts"

/** An answer in a chat may be longer than one that is spoken, and a model that reasons needs tokens before its answer. */
const maxTokens = 1_500

/** Needs the stores. */
export const textAgents = (settings: Settings) =>
  TurnRunner.layer.pipe(
    Layer.provide([languageModel(settings, maxTokens), moderation(settings), toolsOfChats(settings)])
  )

/** The model and the filter for summaries of calls. */
export const summing = (settings: Settings) => Layer.merge(languageModel(settings, maxTokens), moderation(settings))
