/** Is the server on its way out? Answers without an end wait for this and end, so that their clients come back elsewhere; others are finished. */
import { Context, Effect } from "effect"

/** Done when the server has stopped listening. */
export const ServerClosing = Context.Reference<Effect.Effect<void>>("parley/http/ServerClosing", {
  defaultValue: () => Effect.never
})
