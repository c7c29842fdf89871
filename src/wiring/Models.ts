/** The language model and the content filter, for calls, text agents and knowledge. */
import { Layer, Option, Redacted } from "effect"
import type { Settings } from "../config/Environment.ts"
import { noPictures, PictureViews } from "../domain/ai/providers/Pictures.ts"
import * as ChatCompletions from "../integrations/llm/ChatCompletions.ts"
import * as PictureViewsOfMedia from "../integrations/media/PictureViewsOfMedia.ts"
import * as OpenAiModeration from "../integrations/moderation/OpenAiModeration.ts"

const secretOf = (key: Option.Option<Redacted.Redacted>) => (Option.isSome(key) ? Redacted.value(key.value) : "")

export const languageModel = (settings: Settings, maxTokens: number) =>
  ChatCompletions.layer({
    baseUrl: settings.reasoning.baseUrl,
    apiKey: secretOf(settings.reasoning.key),
    models: settings.reasoningModels,
    pictureModels: settings.pictureModels,
    maxTokens,
    temperature: 0.4
  })

const filter = ({ moderation: { baseUrl, key } }: Settings) => ({ baseUrl, apiKey: secretOf(key) })

/** For what agents read and say, and for what is stored in knowledge bases. */
export const moderation = (settings: Settings) => OpenAiModeration.layer(filter(settings))

/** Pictures for the models of `PICTURE_MODELS`. Needs MediaFiles. */
export const pictures = (settings: Settings) =>
  settings.pictureModels.length === 0
    ? Layer.succeed(PictureViews, noPictures)
    : PictureViewsOfMedia.layer(filter(settings))
