/**
 * MCP sessions in Redis: a record for each, which expires, and a sorted set for each key, by which its sessions are counted. While Redis does not answer, no
 * session can be found: the client is told so and begins a new one.
 */
import { Effect, Layer, Option, Schema } from "effect"
import { Redis } from "effect/persistence"
import { idleSeconds, McpSessions, mostSessions } from "../../../domain/people/access/mcp/McpSessions.ts"
import { quietly } from "../../resilience/Quietly.ts"

const patience = "1 second"

const Stored = Schema.fromJsonString(
  Schema.Struct({
    id: Schema.String,
    keyId: Schema.String,
    client: Schema.Struct({ name: Schema.String, version: Schema.String })
  })
)
const [decode, encode] = [Schema.decodeOption(Stored), Schema.encodeSync(Stored)]

const recordOf = (id: string) => `parley:mcp:session:${id}`
const setOf = (keyId: string) => `parley:mcp:sessions:${keyId}`

const clock = `local time = redis.call('TIME')
local now = tonumber(time[1])`

const open = Redis.script(
  (record: string, set: string, id: string, session: string) => [record, set, id, session, idleSeconds, mostSessions],
  {
    numberOfKeys: 2,
    lua: `${clock}
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
redis.call('ZADD', KEYS[2], now + ARGV[3], ARGV[1])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1`
  }
).withReturnType<number>()

const use = Redis.script((record: string, set: string, id: string) => [record, set, id, idleSeconds], {
  numberOfKeys: 2,
  lua: `${clock}
local found = redis.call('GET', KEYS[1])
if found and redis.call('ZSCORE', KEYS[2], ARGV[1]) then
  redis.call('EXPIRE', KEYS[1], ARGV[2])
  redis.call('ZADD', KEYS[2], now + ARGV[2], ARGV[1])
  redis.call('EXPIRE', KEYS[2], ARGV[2])
end
return found`
}).withReturnType<string | null>()

export const layer: Layer.Layer<McpSessions, never, Redis.Redis> = Layer.effect(
  McpSessions,
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const attempt = quietly("MCP sessions cannot be reached")
    const patiently = <A, E>(work: Effect.Effect<A, E>) => attempt(Effect.timeout(work, patience))
    const [runOpen, runUse] = [redis.eval(open), redis.eval(use)]
    return {
      open: (session) =>
        Effect.map(
          patiently(runOpen(recordOf(session.id), setOf(session.keyId), session.id, encode(session))),
          (opened) => opened !== 0
        ),
      find: Effect.fnUntraced(function* (id, keyId, isUsed) {
        const looked = isUsed ? runUse(recordOf(id), setOf(keyId), id) : redis.send<string | null>("GET", recordOf(id))
        const found = yield* patiently(looked)
        const session = typeof found === "string" ? Option.getOrUndefined(decode(found)) : undefined
        return session?.keyId === keyId ? session : undefined
      }),
      close: ({ id, keyId }) =>
        Effect.asVoid(
          Effect.all([patiently(redis.send("DEL", recordOf(id))), patiently(redis.send("ZREM", setOf(keyId), id))])
        )
    }
  })
)
