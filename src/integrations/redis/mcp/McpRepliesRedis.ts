/** The events of MCP answers as lists in Redis, which expire. While Redis is away nothing is kept: answers arrive, but cannot be resumed. */
import { Effect, Layer } from "effect"
import { Redis } from "effect/persistence"
import { keptSeconds, McpReplies } from "../../../domain/people/access/mcp/McpReplies.ts"
import { quietly } from "../../resilience/Quietly.ts"

const patience = "500 millis"

const nameOf = (session: string, answer: string) => `parley:mcp:reply:${session}:${answer}`

const keep = Redis.script((name: string, event: string) => [name, event, keptSeconds], {
  numberOfKeys: 1,
  lua: `local position = redis.call('RPUSH', KEYS[1], ARGV[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return position`
}).withReturnType<number>()

export const layer: Layer.Layer<McpReplies, never, Redis.Redis> = Layer.effect(
  McpReplies,
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const attempt = quietly("Answers to MCP clients cannot be kept for a resumption")
    const patiently = <A, E>(work: Effect.Effect<A, E>) => attempt(Effect.timeout(work, patience))
    const runKeep = redis.eval(keep)
    return {
      keep: (session, answer, event) =>
        Effect.map(patiently(runKeep(nameOf(session, answer), event)), (position) => position ?? 0),
      find: Effect.fnUntraced(function* (session, answer) {
        const events = yield* patiently(redis.send<ReadonlyArray<string>>("LRANGE", nameOf(session, answer), "0", "-1"))
        return events === undefined || events.length === 0 ? undefined : { events }
      })
    }
  })
)
