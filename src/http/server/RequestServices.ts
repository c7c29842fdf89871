/** Selects the services of the process that requests receive. */
import { Context, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

/** The number of services that a request may add (itself, its route, its caller, scopes, spans) before the context is copied. */
const mostAdded = 32

const isForRequests = (key: string): boolean => !key.startsWith("parley/") || key.startsWith("parley/http/")

/**
 * The services that requests receive: the library's (loggers, tracer, clock) and those of `src/http` (middleware), without the application's hundred.
 * Handlers take the application's services when they are made, as their types show, so no route requires them from its request. A smaller context is
 * faster: merging contexts, once per handler and once per transaction, copies both (docs/performance.md, "What a request carries").
 */
export const servicesOfRequests = <R>(all: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...all.mapUnsafe].filter(([key]) => isForRequests(key))), { maxDepth: mostAdded })

const withServicesOfRequests = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(effect, servicesOfRequests<R>)

/** Like `HttpApiBuilder.group`, but the handlers are made with all services and their requests receive only `servicesOfRequests`. */
export const group: typeof HttpApiBuilder.group = (api, identifier, build) =>
  Layer.effectContext(
    Effect.contextWith((all: Context.Context<never>) => {
      const made: typeof build = (handlers) => {
        const building: unknown = build(handlers)
        // `building` is either the handlers or an effect that makes them, and the result has the same form.
        return (Effect.isEffect(building) ? Effect.provideContext(building, all) : building) as ReturnType<typeof build>
      }
      return withServicesOfRequests(Layer.build(HttpApiBuilder.group(api, identifier, made)))
    })
  )
