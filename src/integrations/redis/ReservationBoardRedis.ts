/**
 * The reservations of several engines in Redis, kept while they wait for their streams. They hold the account's auth token and the agent's
 * instructions, so they are encrypted with the key ring. A taken reservation leaves a mark, so that a repeated webhook does not reserve again.
 */
import { randomUUID } from "node:crypto"
import { Effect, Layer, Schema } from "effect"
import { Redis } from "effect/persistence"
import { traced } from "../../domain/basics/Traced.ts"
import { AgentConfig } from "../../domain/voice/engine/AgentConfig.ts"
import { CallSetup } from "../../domain/voice/engine/CallSetup.ts"
import { ReservationBoard } from "../../domain/voice/engine/ReservationBoard.ts"
import { retryPatiently, usualPatienceMs } from "../resilience/Patience.ts"
import { quietly } from "../resilience/Quietly.ts"
import { KeyRing } from "../secrets/KeyRing.ts"
import { hearForEver } from "./Hearing.ts"

/** Longer than the engine waits for a stream (20 s), so that the engine can still take its own reservation back. */
const waitingMs = 30_000
const markMs = 60_000
/** Time limit of one attempt. */
const attemptLasts = "500 millis"

const keyOf = (callId: string) => `parley:reservation:${callId}`
const channelOf = (engine: string) => `parley:taken:${engine}`
const taken = "taken"

const Entry = Schema.fromJsonString(
  Schema.Struct({ engine: Schema.String, organizationId: Schema.String, sealed: Schema.String })
)
const Content = Schema.fromJsonString(Schema.Struct({ setup: CallSetup, agent: AgentConfig, token: Schema.String }))

/** Stores an entry. Returns the entry that was there before, without replacing it unless `anew`. */
const post = Redis.script((key: string, entry: string, anew: boolean) => [key, entry, waitingMs, anew ? 1 : 0], {
  numberOfKeys: 1,
  lua: `local known = redis.call('GET', KEYS[1])
if known and ARGV[3] == '0' then return known end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ''`
}).withReturnType<string>()

const take = Redis.script((key: string) => [key, taken, markMs], {
  numberOfKeys: 1,
  lua: `local known = redis.call('GET', KEYS[1])
if not known or known == ARGV[1] then return '' end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return known`
}).withReturnType<string>()

/** Needs Redis and KeyRing. */
export const layer: Layer.Layer<ReservationBoard, never, Redis.Redis | KeyRing> = Layer.effect(
  ReservationBoard,
  Effect.gen(function* () {
    const redis = yield* Redis.Redis
    const keys = yield* KeyRing
    const engine = randomUUID()
    const attempt = quietly("Reservations cannot be shared with the other workers")
    const soon = <A, E>(work: Effect.Effect<A, E>) => attempt(Effect.timeout(work, attemptLasts))
    /** A caller waits for the result, and the call fails without it: tries until the patience is over. */
    const patiently = <A, E>(work: Effect.Effect<A, E>) =>
      attempt(retryPatiently({ ms: usualPatienceMs, again: () => true }, () => Effect.timeout(work, attemptLasts)))
    const runPost = redis.eval(post)
    const runTake = redis.eval(take)

    const owner = (organizationId: string) => ({ organizationId, field: "reservation" })
    const decodeEntry = Schema.decodeEffect(Entry)
    const decodeContent = Schema.decodeEffect(Content)
    const open = Effect.fnUntraced(function* (text: string) {
      const { organizationId, sealed } = yield* decodeEntry(text)
      return yield* decodeContent(yield* keys.decrypt(owner(organizationId), sealed))
    })
    const read = (text: string) => soon(open(text))

    return ReservationBoard.of({
      shared: true,
      post: traced("ReservationBoard.post")(function* (reservation) {
        const { organizationId } = reservation.agent
        const sealed = yield* keys.encrypt(owner(organizationId), JSON.stringify(reservation))
        const entry = JSON.stringify({ engine, organizationId, sealed })
        const { callId, resume } = reservation.setup
        const known = yield* patiently(runPost(keyOf(callId), entry, resume !== undefined))
        if (known === undefined) return "unreachable"
        // `known === entry`: an earlier attempt succeeded and its answer was lost.
        if (known === "" || known === entry) return "posted"
        if (known === taken) return "taken"
        const other = yield* read(known)
        return other === undefined ? "unreachable" : { token: other.token }
      }),
      find: traced("ReservationBoard.find")(function* (callId, mine) {
        const get = redis.send<string | null>("GET", keyOf(callId))
        const known = yield* mine ? soon(get) : patiently(get)
        if (known === undefined) return "unreachable"
        return known === null || known === taken ? undefined : yield* read(known)
      }),
      take: traced("ReservationBoard.take")(function* (callId) {
        const entry = yield* soon(runTake(keyOf(callId)))
        if (entry === undefined) return true
        if (entry === "") return false
        const poster = yield* soon(decodeEntry(entry))
        if (poster !== undefined && poster.engine !== engine)
          yield* soon(redis.send("PUBLISH", channelOf(poster.engine), callId))
        return true
      }),
      onTaken: (hear) =>
        hearForEver(redis, channelOf(engine), "It is not heard which reservations other workers take", hear)
    })
  })
)
