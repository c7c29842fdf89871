/**
 * Tells requests that the server is closing. Endless answers wait for this and then end, so that their clients reconnect elsewhere. Other requests
 * are finished.
 */
import { Context, Effect } from "effect"

/** Completes when the server has stopped listening. */
export const ServerClosing = Context.Reference<Effect.Effect<void>>("parley/http/ServerClosing", {
  defaultValue: () => Effect.never
})
