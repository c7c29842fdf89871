/** A connection at work: what an adapter is given, what a provider answers, and what follows when it does not do what it was asked. */
import { Data, type Effect } from "effect"
import type { HttpClientRequest } from "effect/http"
import type { AppSettings } from "./AppConnection.ts"

/** An answer of the provider, with any status. */
export interface AppAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * The provider did not do it. `retry`: it may later. `wait`: it asks us to wait, all changes of the connection. `give_up`: it never will; the sentence
 * says what to change. `reconnect`: it refuses our credentials; `final` when they will not work again.
 */
export class AppFailure extends Data.TaggedError("AppFailure")<{
  readonly action: "retry" | "wait" | "give_up" | "reconnect"
  readonly message: string
  readonly retryAfterMs?: number
  readonly final?: boolean
}> {}

/** A connection at work. */
export interface AppSession {
  readonly organizationId: string
  readonly settings: AppSettings
  readonly credentials: Readonly<Record<string, string>>
  /** Sends a request at the provider's pace, and keeps it for the log of the connection. */
  readonly ask: (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<AppAnswer, AppFailure>
  /** The same for a file of at most so many bytes; the log does not keep its content. */
  readonly fetch: (
    request: HttpClientRequest.HttpClientRequest,
    maxBytes: number
  ) => Effect.Effect<Omit<AppAnswer, "text"> & { readonly bytes: Uint8Array }, AppFailure>
}
