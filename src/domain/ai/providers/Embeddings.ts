/** Port of the provider that turns texts into vectors: texts that mean the same, also in two languages, get vectors that point the same way. */
import { Context, type Effect, Schema } from "effect"

/** `rejected`: the provider will not take this request later either; `refused`: it does not take these texts, others it may. */
export class EmbeddingError extends Schema.TaggedError<EmbeddingError>()("EmbeddingError", {
  reason: Schema.Literals(["unavailable", "timeout", "rejected", "refused", "protocol"]),
  message: Schema.String
}) {}

export interface Embedded {
  /** One for each text, of length 1. */
  readonly vectors: ReadonlyArray<Float32Array>
  /** The tokens that the provider counted. */
  readonly tokens: number
}

export class Embeddings extends Context.Service<
  Embeddings,
  {
    /** Names the model and its dimensions. Only vectors of one model can be compared. */
    readonly model: string
    /** The vectors of at least one text, in order, within `patienceMs` or not at all. */
    readonly embed: (texts: ReadonlyArray<string>, patienceMs: number) => Effect.Effect<Embedded, EmbeddingError>
  }
>()("parley/domain/Embeddings") {}
