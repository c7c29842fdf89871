/**
 * What every call of a tool that sends goes through. It runs once for its idempotency key, or for its arguments when it has none; it counts in the
 * limits of its API key; and the audit log says which program asked for it.
 */
import { createHash } from "node:crypto"
import { Cause, type Duration, Effect, Exit, Option, Schema } from "effect"
import { makeCounter, makeGiveBack, tooManySentence } from "../../../domain/basics/limits/RateLimits.ts"
import { Audit } from "../../../domain/people/access/Audit.ts"
import { type Claim, IdempotencyKeys, Operation } from "../../../domain/people/access/Idempotency.ts"
import type { AssistantCaller } from "../protocol/AssistantCaller.ts"
import type { Tool } from "../protocol/Tool.ts"
import type { ToolAnswer } from "../protocol/ToolAnswer.ts"
import { ToolRefusal } from "../protocol/ToolRefusal.ts"

export interface SendLimits {
  /** How many calls of tools that send a key has in a minute, and in a day. 0 means no limit. */
  readonly sendsPerMinute: number
  readonly sendsPerDay: number
}

export const sendLimitDefaults: SendLimits = { sendsPerMinute: 3, sendsPerDay: 100 }

const Stored = Schema.fromJsonString(
  Schema.Struct({ structured: Schema.Record(Schema.String, Schema.Json), text: Schema.String })
)
const decodeStored = Schema.decodeEffect(Stored)

/** JSON with the names of each object in order, so that the same arguments are the same text. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const fields = Object.entries(value)
    .filter(([, field]) => field !== null && field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const underWay = new ToolRefusal({
  message: "The same call is still under way.",
  next: "Wait a second, then call the tool again with the same arguments."
})
const otherArguments = new ToolRefusal({
  message: "This idempotencyKey was already used with other arguments.",
  next: "Send the same arguments, or a new idempotencyKey."
})

/** Needs RateLimiter. Gives the function that counts a call of a key, and fails over a limit, and the one that takes it back. */
const makeLimit = Effect.fnUntraced(function* (name: string, limit: number, window: Duration.Input) {
  const rule = { name: `mcp-${name}`, what: "calls of tools that send", limit, window }
  const count = yield* makeCounter(rule)
  const giveBack = yield* makeGiveBack(rule)
  return {
    giveBack: (keyId: string) => (limit === 0 ? Effect.void : giveBack(keyId)),
    take: Effect.fnUntraced(function* (keyId: string) {
      if (limit === 0) return
      const state = yield* count(keyId)
      if (!state.exceeded) return
      const next = "Wait as long as it says. Nothing was sent by this call."
      return yield* new ToolRefusal({ message: tooManySentence(rule, state), next })
    })
  }
})

/** Needs IdempotencyKeys, Audit and RateLimiter. */
export const makeSendOnce = Effect.fnUntraced(function* ({ sendsPerMinute, sendsPerDay }: SendLimits) {
  const keys = yield* IdempotencyKeys
  const audit = yield* Audit
  const minute = yield* makeLimit("sends-a-minute", sendsPerMinute, "1 minute")
  const day = yield* makeLimit("sends-a-day", sendsPerDay, "1 day")

  const act = Effect.fnUntraced(function* (tool: Tool, args: object, caller: AssistantCaller) {
    const { keyId, organizationId } = caller.principal
    yield* minute.take(keyId)
    yield* day.take(keyId)
    // What was refused reached nobody, so it does not count.
    const giveBack = Effect.andThen(minute.giveBack(keyId), day.giveBack(keyId))
    const answer = yield* Effect.tapError(tool.run(args, caller), () => giveBack)
    const { client, transport } = caller
    yield* audit.recorded(organizationId, Effect.void, () => ({
      action: `mcp.${tool.name}`,
      subjectId: answer.subjectId ?? tool.name,
      after: { client, transport }
    }))
    return { ...answer, structured: { ...answer.structured, repeated: false } }
  })

  const settle = (claim: Claim, outcome: Exit.Exit<ToolAnswer, ToolRefusal>) => {
    if (Exit.isSuccess(outcome)) {
      const body = JSON.stringify({ structured: outcome.value.structured, text: outcome.value.text })
      return keys.answered(claim, { status: 200, contentType: "application/json", headers: {}, body })
    }
    const refusal = Option.getOrUndefined(Cause.findErrorOption(outcome.cause))
    return refusal === undefined || refusal.isOurs === true ? keys.abandoned(claim) : keys.refused(claim)
  }

  return Effect.fnUntraced(function* (tool: Tool, args: object, caller: AssistantCaller) {
    const { organizationId, keyId } = caller.principal
    const { idempotencyKey, ...rest } = args as { readonly idempotencyKey?: unknown }
    const bodyHash = sha256(canonical(rest))
    const key = typeof idempotencyKey === "string" ? idempotencyKey.slice(0, 100) : `arguments-${bodyHash}`
    const state = yield* keys.claim({ organizationId, caller: keyId, method: "MCP", path: tool.name, key, bodyHash })
    switch (state._tag) {
      case "UnderWay":
        return yield* underWay
      case "OtherBody":
        return yield* otherArguments
      case "Answered": {
        const { structured, text } = yield* Effect.orDie(decodeStored(state.answer.body))
        return {
          structured: { ...structured, repeated: true },
          text: `An earlier call did this, and nothing was done now. Send a new idempotencyKey to do it again on purpose.\n${text}`
        }
      }
      case "Mine": {
        const { claim } = state
        const work = Effect.provideService(act(tool, args, caller), Operation, claim.id)
        const outcome = yield* Effect.exit(work)
        // If the answer cannot be stored, the client still gets it, and the key becomes free when its lease runs out.
        yield* settle(claim, outcome).pipe(
          Effect.catchCause((cause) => Effect.logError("an answer could not be kept for its idempotency key", cause))
        )
        return yield* outcome
      }
    }
  }, Effect.uninterruptible)
})
