/** The language model and the content filter, for calls, text agents and knowledge. */
import { Option, Redacted } from "effect"
import type { Settings } from "../config/Environment.ts"
import * as ChatCompletions from "../integrations/llm/ChatCompletions.ts"
import * as OpenAiModeration from "../integrations/moderation/OpenAiModeration.ts"

const secretOf = (key: Option.Option<Redacted.Redacted>) => (Option.isSome(key) ? Redacted.value(key.value) : "")

export const languageModel = (settings: Settings, maxTokens: number) =>
  ChatCompletions.layer({
    baseUrl: settings.reasoning.baseUrl,
    apiKey: secretOf(settings.reasoning.key),
    models: settings.reasoningModels,
    maxTokens,
    temperature: 0.4
  })

/** For what agents read and say, and for what is stored in knowledge bases. */
export const moderation = (settings: Settings) =>
  OpenAiModeration.layer({ baseUrl: settings.moderation.baseUrl, apiKey: secretOf(settings.moderation.key) })
