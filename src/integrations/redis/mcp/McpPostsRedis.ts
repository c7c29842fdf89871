/**
 * Carries posts between processes: each has a channel, and a record of each stream names the process that holds it. Records expire, so those of a dead
 * process end by themselves; a living one renews its own.
 */
import { randomUUID } from "node:crypto"
import { Effect, Layer, Option, Schema } from "effect"
import { Redis } from "effect/persistence"
import { localPosts, McpPosts, type McpStream } from "../../../domain/people/access/mcp/McpPosts.ts"
import { quietly } from "../../resilience/Quietly.ts"
import { hearForEver } from "../Hearing.ts"

const recordSeconds = 90
const renewEvery = "30 seconds"
const patience = "1 second"

const recordOf = (id: string) => `parley:mcp:stream:${id}`
const channelOf = (process: string) => `parley:mcp:posts:${process}`

const Posted = Schema.fromJsonString(Schema.Struct({ id: Schema.String, keyId: Schema.String, message: Schema.String }))
const [decode, encode] = [Schema.decodeOption(Posted), Schema.encodeSync(Posted)]

export const layer: Layer.Layer<McpPosts, never, Redis.Redis> = Layer.effect(
  McpPosts,
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const attempt = quietly("Posts of MCP clients cannot be carried between processes")
    const patiently = <A, E>(work: Effect.Effect<A, E>) => attempt(Effect.timeout(work, patience))
    const self = randomUUID()
    const own = localPosts()
    const held = new Map<string, McpStream>()
    const runFork = Effect.runForkWith(yield* Effect.context<never>())

    const record = ({ id, keyId }: McpStream) =>
      patiently(redis.send("SET", recordOf(id), `${self} ${keyId}`, "EX", String(recordSeconds)))
    const renewing = Effect.forever(
      Effect.delay(
        Effect.suspend(() => Effect.forEach([...held.values()], record, { discard: true, concurrency: 50 })),
        renewEvery
      )
    )
    yield* Effect.forkScoped(renewing)
    yield* hearForEver(redis, channelOf(self), "Posts for MCP streams of this process are not heard", (text) => {
      const posted = Option.getOrUndefined(decode(text))
      if (posted !== undefined) runFork(own.deliver(posted, posted.message))
    })

    return {
      listen: Effect.fnUntraced(function* (stream, hear) {
        yield* own.listen(stream, hear)
        yield* Effect.acquireRelease(
          Effect.suspend(() => {
            held.set(stream.id, stream)
            return record(stream)
          }),
          () => {
            held.delete(stream.id)
            return patiently(redis.send("DEL", recordOf(stream.id)))
          }
        )
      }),
      deliver: Effect.fnUntraced(function* (stream, message) {
        if (yield* own.deliver(stream, message)) return true
        const found = yield* patiently(redis.send<string | null>("GET", recordOf(stream.id)))
        const [process, keyId] = typeof found === "string" ? found.split(" ") : []
        if (process === undefined || keyId !== stream.keyId) return false
        const heard = yield* patiently(
          redis.send<number>("PUBLISH", channelOf(process), encode({ ...stream, message }))
        )
        return (heard ?? 0) > 0
      })
    }
  })
)
