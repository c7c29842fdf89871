/**
 * Limits the signed requests of a client address that fail their check. Each address may fail some times at once and then once a second. After that:
 * - An address that has not sent a good signature for a day gets 429, before its body is read or anything is searched for.
 * - An address that has, such as the provider's or a proxy's, may be shared with an attacker and is not locked out. Its requests are checked, but
 *   only for accounts that have sent a good signature to this process: nothing is searched for others.
 * The log has a bounded number of lines. All of it is kept in the memory of this process, with bounds.
 */
import { Clock, Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { LogLimit } from "../../domain/basics/limits/LogLimit.ts"
import { clientNetwork } from "../server/ClientAddress.ts"
import { tooMany } from "./Errors.ts"

/** How often an address may fail at once. */
const burst = 20
/** Another failure is allowed after this many milliseconds. */
const everyMs = 1_000
/** How long a good signature speaks for its address, in milliseconds. */
const trustedMs = 24 * 60 * 60_000
/** How many addresses and accounts are remembered, of each kind. The oldest are forgotten. */
const mostRemembered = 10_000

/** Remembers a value for each name; beyond `mostRemembered` names it forgets the one that was set longest ago. */
class Recent<A> {
  readonly #values = new Map<string, A>()

  get(name: string): A | undefined {
    return this.#values.get(name)
  }
  set(name: string, value: A): void {
    this.#values.delete(name)
    this.#values.set(name, value)
    if (this.#values.size <= mostRemembered) return
    const [oldest] = this.#values.keys()
    this.#values.delete(oldest)
  }
  delete(name: string): void {
    this.#values.delete(name)
  }
  get size(): number {
    return this.#values.size
  }
}

/** How a request may be checked. `known`: only for accounts that are known. */
export type Admission = "any" | "known"

/** The state behind `makeSignatureFailures`. Pure: the caller gives the time in milliseconds. */
export class SignatureFailures {
  /** For each address that has failed: when all its failures will be forgotten. */
  readonly #forgottenAt = new Recent<number>()
  /** For each address with a good signature: when it was. Only good signatures enter, so attackers cannot fill it. */
  readonly #goodAt = new Recent<number>()
  readonly #accounts = new Recent<true>()

  /** How many addresses are remembered for their failures. */
  get failing(): number {
    return this.#forgottenAt.size
  }

  /** How a request of the address may be checked, or after how many milliseconds it may come again. */
  admit(address: string, now: number): Admission | number {
    const excess = (this.#forgottenAt.get(address) ?? now) - now - (burst - 1) * everyMs
    if (excess <= 0) return "any"
    const goodAt = this.#goodAt.get(address)
    return goodAt !== undefined && now - goodAt < trustedMs ? "known" : excess
  }

  failed(address: string, now: number): void {
    const from = Math.max(now, this.#forgottenAt.get(address) ?? now)
    this.#forgottenAt.set(address, Math.min(from, now + burst * everyMs) + everyMs)
  }

  good(address: string, accounts: Iterable<string>, now: number): void {
    this.#goodAt.set(address, now)
    for (const account of accounts) this.#accounts.set(account, true)
  }

  /** Whether the account has sent a good signature. */
  knows(account: string): boolean {
    return this.#accounts.get(account) === true
  }
}

const sentence = "Too many requests with a wrong signature have come from this address. Try again in a moment."

/** Makes the checks for one kind of signed requests. `refusal` is the line of the log. */
export const makeSignatureFailures = (refusal: string) =>
  Effect.sync(() => {
    const failures = new SignatureFailures()
    const lines = new LogLimit()
    const addressOf = ({ remoteAddress }: HttpServerRequest.HttpServerRequest) =>
      clientNetwork(Option.getOrElse(remoteAddress, () => "unknown"))
    return {
      /** Says how the request may be checked; fails with 429. Ask before the body is read. */
      admit: Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const admission = failures.admit(addressOf(request), yield* Clock.currentTimeMillis)
        return typeof admission === "number" ? yield* tooMany(sentence, admission / 1_000) : admission
      }),
      /** Counts and logs a request that failed. */
      failed: Effect.fnUntraced(function* (
        request: HttpServerRequest.HttpServerRequest,
        fields: Readonly<Record<string, string>> = {}
      ) {
        const now = yield* Clock.currentTimeMillis
        const address = addressOf(request)
        failures.failed(address, now)
        const line = lines.take(now)
        if (line !== undefined) yield* Effect.logWarning(refusal, { ...fields, address, ...line })
      }),
      /** Remembers a good signature of these accounts. */
      good: (request: HttpServerRequest.HttpServerRequest, accounts: Iterable<string> = []) =>
        Effect.map(Clock.currentTimeMillis, (now) => failures.good(addressOf(request), accounts, now)),
      knows: (account: string) => failures.knows(account)
    }
  })
