/** What requests are given of the services of their process. */
import { Context, Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

/** Services that are added in the course of a request, on top of these, before all are copied: itself, its route, its caller, scopes, spans. */
const mostAdded = 32

const isForRequests = (key: string): boolean => !key.startsWith("parley/") || key.startsWith("parley/http/")

/**
 * The library's services (loggers, tracer, clock) and those of this room (middleware), without the application's hundred. Handlers take those when
 * they are made, as their types say: no route requires anything of its request. Where contexts are joined, once for a handler and once for each
 * transaction, both are copied (docs/performance.md, "What a request carries").
 */
export const servicesOfRequests = <R>(all: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...all.mapUnsafe].filter(([key]) => isForRequests(key))), { maxDepth: mostAdded })

const withServicesOfRequests = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.updateContext(effect, servicesOfRequests<R>)

/** `HttpApiBuilder.group`; its handlers are made with all services, its requests are given `servicesOfRequests`. */
export const group: typeof HttpApiBuilder.group = (api, identifier, build) =>
  Layer.effectContext(
    Effect.contextWith((all: Context.Context<never>) => {
      const made: typeof build = (handlers) => {
        const building: unknown = build(handlers)
        // Handlers, or an effect that makes them: the same is given back.
        return (Effect.isEffect(building) ? Effect.provideContext(building, all) : building) as ReturnType<typeof build>
      }
      return withServicesOfRequests(Layer.build(HttpApiBuilder.group(api, identifier, made)))
    })
  )
