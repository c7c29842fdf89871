/** The providers of a service that was started without their keys. */
import { Effect, Option } from "effect"
import type { Settings } from "../config/Environment.ts"

/** In development without provider keys, starts the simulators and points the settings at them. Otherwise returns the settings unchanged. */
export const withProviders = Effect.fnUntraced(function* (settings: Settings) {
  if (Option.isSome(settings.reasoning.key) || settings.environment === "production") return settings
  const { simulated } = yield* Effect.promise(() => import("./demo/simulated.ts"))
  yield* Effect.logWarning("No provider keys: talking to the simulators (set REASONING_API_KEY and the others)")
  return yield* simulated(settings)
})
