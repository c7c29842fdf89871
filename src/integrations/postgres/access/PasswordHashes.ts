/**
 * Hashes of passwords. Passwords are stored as `scrypt$N$r$p$salt$hash` (base64url). A check uses the parameters of the stored hash, so the parameters
 * for new hashes can be raised. The current parameters take 32 MB and about 50 ms per password, on Node's thread pool.
 */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { availableParallelism } from "node:os"
import { Effect, Semaphore } from "effect"
import { PasswordsBusy } from "../../../domain/people/access/User.ts"

const cost = { N: 32_768, r: 8, p: 1 }
const hashBytes = 32
const saltBytes = 16

/** Hashes that are made at once: they share Node's thread pool with the file access of calls. One processor stays free for the frames of calls. */
const atOnce = availableParallelism() > 2 ? 2 : 1
/** The most hashes that are made or wait, one or two seconds of work. Further ones are refused: otherwise a flood of sign-ins would wait for minutes. */
export const mostHashes = 32

const turn = Semaphore.makeUnsafe(atOnce)
let underWay = 0

const begin = Effect.suspend(() => {
  if (underWay >= mostHashes) return Effect.fail(new PasswordsBusy())
  underWay++
  return Effect.void
})
const end = Effect.sync(() => void underWay--)

const derive = (password: string, salt: Buffer, { N, r, p }: typeof cost): Effect.Effect<Buffer, PasswordsBusy> =>
  Effect.acquireUseRelease(
    begin,
    () =>
      turn.withPermits(1)(
        Effect.callback<Buffer>((resume) => {
          // Node's default memory limit is just below what this cost needs.
          const options = { N, r, p, maxmem: 256 * N * r }
          scrypt(password.normalize("NFKC"), salt, hashBytes, options, (error, hash) =>
            resume(error === null ? Effect.succeed(hash) : Effect.die(error))
          )
          // A hash that has begun cannot be stopped. The next one waits for it even if nobody waits for this one.
        }).pipe(Effect.uninterruptible)
      ),
    () => end
  )

const storedForm = ({ N, r, p }: typeof cost, salt: Buffer, hash: Buffer): string =>
  ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$")

/**
 * The hash to compare a password with when nobody has the address, so that every answer takes equally long. No password is known to have it: it is drawn and
 * not derived, which costs nothing.
 */
export const decoyHash = (): string => storedForm(cost, randomBytes(saltBytes), randomBytes(hashBytes))

/** Gives the stored form of a password. `saltOf`: a stored hash with the salt and the parameters to use; without it the salt is new. */
export const hashPassword = (password: string, saltOf?: string): Effect.Effect<string, PasswordsBusy> => {
  const [N, r, p] = saltOf?.split("$").slice(1, 4).map(Number) ?? []
  const isCurrent = N === cost.N && r === cost.r && p === cost.p
  const salt =
    saltOf !== undefined && isCurrent ? Buffer.from(saltOf.split("$")[4], "base64url") : randomBytes(saltBytes)
  return Effect.map(derive(password, salt, cost), (hash) => storedForm(cost, salt, hash))
}

/** Which of the stored hashes the password matches, by position. Hashes with the same salt and parameters are checked with one derivation. */
export const matchingHashes = Effect.fnUntraced(function* (password: string, stored: ReadonlyArray<string>) {
  const derived = new Map<string, Buffer>()
  const matching: Array<number> = []
  for (const [position, text] of stored.entries()) {
    const [, N, r, p, salt, hash] = text.split("$")
    const salted = [N, r, p, salt].join("$")
    const actual =
      derived.get(salted) ??
      (yield* derive(password, Buffer.from(salt, "base64url"), { N: Number(N), r: Number(r), p: Number(p) }))
    derived.set(salted, actual)
    if (timingSafeEqual(actual, Buffer.from(hash, "base64url"))) matching.push(position)
  }
  return matching
})
