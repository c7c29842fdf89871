/**
 * Fetches the documents that OAuth clients publish about themselves, from the public internet only. An answer is kept as long as its server allows, a day
 * at most; a failure for half a minute, so that nobody can make us ask one server again and again.
 */
import { Clock, Effect, Layer, Semaphore } from "effect"
import { traced } from "../../domain/basics/Traced.ts"
import { ClientDocumentRefused, ClientDocuments } from "../../domain/people/oauth/OAuthClient.ts"
import { RecentBytes } from "../storage/cache/RecentBytes.ts"
import { type GuardedExchangeResult, guardedExchange } from "./GuardedExchange.ts"
import type { Lookup } from "./PublicNetwork.ts"

export interface HttpClientDocumentsOptions {
  /** Allows documents on loopback and in private networks, without TLS: for demo and development. */
  readonly allowPrivateNetwork?: boolean
  /** Milliseconds until the whole document is there. Default 5,000. */
  readonly timeoutMs?: number
  readonly lookup?: Lookup
}

const maxBytes = 32 * 1_024
const cachedBytes = 4 * 1_024 * 1_024
/** How many are fetched at once. */
const mostAtOnce = 8
const secondMs = 1_000
const [usualMs, longestMs, failureMs] = [5 * 60 * secondMs, 24 * 60 * 60 * secondMs, 30 * secondMs]

/** How long the answer may be kept. */
const keptMs = (cacheControl: string | undefined): number => {
  if (cacheControl === undefined) return usualMs
  if (/\bno-(?:store|cache)\b/i.test(cacheControl)) return 0
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl)?.[1]
  return seconds === undefined ? usualMs : Math.min(Number(seconds) * secondMs, longestMs)
}

const refused = (message: string) => new ClientDocumentRefused({ message })

const parsed = (bytes: Uint8Array) =>
  Effect.try({
    try: (): unknown => JSON.parse(Buffer.from(bytes).toString("utf8")),
    catch: () => refused("The document at the client_id is not JSON.")
  })

const checked = ({ status, headers, bytes, cut }: GuardedExchangeResult) => {
  if (status !== 200) return Effect.fail(refused(`The address in the client_id answers with ${status} instead of 200.`))
  if (cut) return Effect.fail(refused(`The document at the client_id has more than ${maxBytes} bytes.`))
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(headers["content-type"] ?? ""))
    return Effect.fail(refused("The document at the client_id is not of type application/json."))
  return Effect.as(parsed(bytes), { bytes, keptMs: keptMs(headers["cache-control"]) })
}

export const layer = ({ allowPrivateNetwork = false, timeoutMs = 5_000, lookup }: HttpClientDocumentsOptions = {}) =>
  Layer.effect(
    ClientDocuments,
    Effect.gen(function* () {
      const documents = new RecentBytes(cachedBytes)
      const failures = new RecentBytes(cachedBytes)
      const few = yield* Semaphore.make(mostAtOnce)

      const ask = (id: string) =>
        guardedExchange(id, {
          method: "GET",
          headers: { accept: "application/json" },
          allowPrivateNetwork,
          maxBytes,
          ...(lookup === undefined ? {} : { lookup })
        }).pipe(
          Effect.catchTags({
            PrivateAddress: () => refused("The address in the client_id is not on the public internet."),
            ConnectionFailed: () => refused("The address in the client_id cannot be reached.")
          }),
          Effect.flatMap(checked),
          few.withPermits(1),
          Effect.timeoutOrElse({
            duration: timeoutMs,
            orElse: () => Effect.fail(refused("The address in the client_id does not answer in time."))
          })
        )

      return ClientDocuments.of({
        refusal: ({ protocol }) => (protocol === "https:" || allowPrivateNetwork ? undefined : "does not use https"),
        fetch: traced("ClientDocuments.fetch")(function* (id) {
          const now = yield* Clock.currentTimeMillis
          const known = documents.get(id, now)
          if (known !== undefined) return yield* parsed(known)
          const failed = failures.get(id, now)
          if (failed !== undefined) return yield* refused(Buffer.from(failed).toString("utf8"))
          const { bytes, keptMs } = yield* Effect.tapError(ask(id), ({ message }) =>
            Effect.sync(() => failures.set(id, Buffer.from(message), now + failureMs))
          )
          if (keptMs > 0) documents.set(id, bytes, now + keptMs)
          return yield* parsed(bytes)
        })
      })
    })
  )
