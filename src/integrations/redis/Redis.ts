/**
 * The Redis of `effect/persistence` over ioredis. It connects by itself and reconnects for ever; while the server is away a command
 * fails within about a second instead of waiting, and the process logs one line when it goes and one when it is back, however many connections it
 * has. A server that is gone without a word (no packet says so) is noticed by what it does not answer.
 */
import { Context, Effect, Layer, Redacted } from "effect"
import { Redis } from "effect/persistence"
import { Redis as Client } from "ioredis"

export interface RedisOptions {
  /** `redis://…` or `rediss://…` */
  readonly url: Redacted.Redacted
}

/** A command is answered within milliseconds; who waits for one longer than this still has time to ask again (`Persistence`). Milliseconds. */
const silentMs = 3_000
/** Who only listens asks nothing, and would not notice a server that is gone without a word: so it is asked for a word from time to time. */
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
  /** Layers of one build share it: a process has one Redis, and a client for each thing that it does there. */
  static readonly layer: Layer.Layer<Outage> = Layer.effect(
    Outage,
    Effect.gen(function* () {
      const runFork = Effect.runForkWith(yield* Effect.context<never>())
      /** Clients that have lost it. */
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
        // Ours, on purpose: it says nothing of the server.
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
          // Not before: who subscribes tries again with a client of its own, and the first one has said what there is to say.
          watch(own)
          // ioredis subscribes again after a reconnect. A word that does not come ends the connection, which says so itself.
          const ping = Effect.ignore(Effect.tryPromise({ try: () => own.ping(), catch: failure }))
          return Effect.forever(Effect.delay(ping, pingEvery))
        })
      })
    })
  ).pipe(Layer.provide(Outage.layer))
