/** The layers of text agents: what carries out their turns. */
import { Layer } from "effect"
import type { Settings } from "../config/Environment.ts"
import { TurnRunner } from "../domain/messaging/agents/TurnRunner.ts"
import { languageModel, moderation } from "./Models.ts"
import { toolsOfChats } from "./Tools.ts"

/** An answer in a chat may be longer than one that is spoken, and a model that reasons needs tokens before its answer. */
const maxTokens = 1_500

/** Needs the stores. */
export const textAgents = (settings: Settings) =>
  TurnRunner.layer.pipe(Layer.provide([languageModel(settings, maxTokens), moderation(settings), toolsOfChats(settings)]))
