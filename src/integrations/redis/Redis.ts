/**
 * The Redis of `effect/persistence` over ioredis. It connects by itself and reconnects for ever. While the server is away, a command fails within
 * about a second instead of waiting. The process logs one line when the server goes and one when it is back, over all its connections. A server
 * that disappears without closing its connections is noticed when answers do not come.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { Redis } from "effect/persistence"
import { Redis as Client } from "ioredis"

export interface RedisOptions {
  /** `redis://…` or `rediss://…` */
  readonly url: Redacted.Redacted
}

/** A command is usually answered within milliseconds. After this time without an answer the connection is given up. Milliseconds. */
const silentMs = 3_000
/** A connection that only subscribes sends no commands, and would not notice a server that disappeared. So it pings the server. */
const pingEvery = "5 seconds"

const failure = (cause: unknown) => new Redis.RedisError({ cause })

const sendWith =
  (client: Client) =>
  <A = unknown>(command: string, ...args: ReadonlyArray<string>) =>
    Effect.tryPromise({ try: () => client.call(command, ...args) as Promise<A>, catch: failure })

/** Logs the first error of an outage and its end; ioredis reports each attempt of each client to reconnect. */
class Outage extends Context.Service<Outage, { readonly watch: (client: Client) => void }>()(
  "parley/integrations/redis/Outage"
) {
  /** The layers of one build share it: a process has one Redis server and several clients. */
  static readonly layer: Layer.Layer<Outage> = Layer.effect(
    Outage,
    Effect.gen(function* () {
      const runFork = Effect.runForkWith(yield* Effect.context<never>())
      /** Clients that have lost the server. */
      const away = new Set<Client>()
      const watch = (client: Client) => {
        client.on("error", ({ message }: Error) => {
          if (away.size === 0)
            runFork(Effect.logWarning("Redis cannot be reached; trying again in the background", { reason: message }))
          away.add(client)
        })
        client.on("ready", () => {
          if (away.delete(client) && away.size === 0) runFork(Effect.logInfo("Redis is back"))
        })
        // We closed the client: that says nothing about the server.
        client.on("end", () => void away.delete(client))
      }
      return Outage.of({ watch })
    })
  )
}

export const layer = (options: RedisOptions): Layer.Layer<Redis.Redis> =>
  Layer.effect(
    Redis.Redis,
    Effect.gen(function* () {
      const { watch } = yield* Outage
      const open = Effect.sync(() => {
        const client = new Client(Redacted.value(options.url), {
          connectTimeout: 2_000,
          socketTimeout: silentMs,
          maxRetriesPerRequest: 1,
          retryStrategy: (attempt) => Math.min(100 * attempt, 2_000)
        })
        // Without a listener ioredis writes to the console.
        client.on("error", () => undefined)
        return client
      })
      const close = (client: Client) => Effect.sync(() => client.disconnect())
      const scoped = Effect.acquireRelease(open, close)
      const client = yield* scoped
      watch(client)

      return yield* Redis.make({
        send: sendWith(client),
        connect: Effect.map(open, (own) => ({ send: sendWith(own), close: close(own) })),
        subscribe: Effect.fnUntraced(function* (channel, onMessage) {
          const own = yield* scoped
          own.on("message", (from: string, message: string) => onMessage({ channel: from, message }))
          yield* Effect.tryPromise({ try: () => own.subscribe(channel), catch: failure })
          // Not before: the subscriber retries with a new client each time, and the first client has already reported the outage.
          watch(own)
          // ioredis subscribes again after a reconnect. A missing pong ends the connection, and `watch` reports that.
          const ping = Effect.ignore(Effect.tryPromise({ try: () => own.ping(), catch: failure }))
          return Effect.forever(Effect.delay(ping, pingEvery))
        })
      })
    })
  ).pipe(Layer.provide(Outage.layer))
