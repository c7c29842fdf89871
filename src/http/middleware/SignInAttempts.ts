/**
 * Limits on attempts to sign in, successful or not, against guessing one person's password and against trying one password on many people. One
 * client gets few attempts per account, all clients together get more. Otherwise anybody who knows a person's e-mail address could lock the person
 * out with wrong passwords.
 */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { RateLimitRule } from "../../domain/basics/limits/RateLimits.ts"
import { addressKey } from "../../domain/people/access/User.ts"
import { clientNetwork } from "../server/ClientAddress.ts"
import { makeRateLimit } from "./RateLimit.ts"

const attempts = { what: "attempts to sign in", window: "15 minutes" } as const
const perAddress = { ...attempts, name: "sign-in-address", limit: 30 }
const perAccountAndAddress = { ...attempts, name: "sign-in-account-address", limit: 10 }
const perAccount = { ...attempts, name: "sign-in-account", limit: 100 }

const digest = (text: string): string => createHash("sha256").update(text).digest("hex")

/**
 * Needs RateLimiter. The function it gives counts one attempt, and fails with 429 over a limit. `ip` is the client's address, null when unknown. `kind`:
 * whose attempts they are, so that those of operators are counted apart from those of people.
 */
export const makeSignInAttempts = Effect.fnUntraced(function* (kind: "" | "operator-" = "") {
  const of = (rule: RateLimitRule) => makeRateLimit({ ...rule, name: kind + rule.name })
  const countAddress = yield* of(perAddress)
  const countBoth = yield* of(perAccountAndAddress)
  const countAccount = yield* of(perAccount)

  return Effect.fnUntraced(function* (email: string, ip: string | null) {
    const client = clientNetwork(ip ?? "unknown")
    const account = addressKey(email)
    yield* countAddress(client)
    yield* countBoth(digest(`${client}|${account}`))
    yield* countAccount(digest(account))
  })
})
