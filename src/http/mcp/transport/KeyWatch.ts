/**
 * Ends what an API key has open when the key ends: it is revoked, expires, or loses scopes. All that one key has open is one look each half second, which the
 * memory of valid keys answers mostly.
 */
import { Deferred, Effect } from "effect"
import type { KeyPrincipal } from "../../../domain/people/access/Access.ts"
import { ApiKeys } from "../../../domain/people/access/ApiKey.ts"

const lookEvery = "500 millis"

interface Watched {
  readonly scopes: string
  readonly over: Deferred.Deferred<void>
  open: number
}

const scopesOf = ({ scopes }: KeyPrincipal) => [...scopes].sort().join(" ")

/** Makes the function that completes when a key is not good any more, or has other scopes than `principal`. Needs ApiKeys. */
export const makeKeyWatch = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const watched = new Map<string, Watched>()

  const look = Effect.fnUntraced(function* (secret: string, { scopes, over }: Watched) {
    const principal = yield* keys.authenticate(secret)
    if (principal !== undefined && scopesOf(principal) === scopes) return
    watched.delete(secret)
    yield* Deferred.succeed(over, undefined)
  })
  const lookAtAll = Effect.suspend(() =>
    Effect.forEach([...watched], ([secret, known]) => look(secret, known), { discard: true, concurrency: 10 })
  )
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.delay(
        Effect.catchDefect(lookAtAll, (defect) => Effect.logWarning("API keys could not be looked up", defect)),
        lookEvery
      )
    )
  )

  const enter = (secret: string, principal: KeyPrincipal) =>
    Effect.sync(() => {
      const known = watched.get(secret) ?? { scopes: scopesOf(principal), over: Deferred.makeUnsafe<void>(), open: 0 }
      known.open++
      watched.set(secret, known)
      return known
    })
  const leave = (secret: string, known: Watched) =>
    Effect.sync(() => {
      known.open--
      if (known.open === 0 && watched.get(secret) === known) watched.delete(secret)
    })

  return (secret: string, principal: KeyPrincipal): Effect.Effect<void> =>
    Effect.acquireUseRelease(
      enter(secret, principal),
      ({ over }) => Deferred.await(over),
      (known) => leave(secret, known)
    )
})
