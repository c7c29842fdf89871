import { randomBytes, scryptSync } from "node:crypto"
import type { PasswordHash } from "../../src/domain/people/access/User.ts"

/**
 * A hash of the password that is made, and checked, in no time: a stored hash has its own cost with it. What the service itself makes costs a fifth of a
 * second of the processor (`Organizations.test.ts` proves that cost), and hardly a test is about it.
 */
export const cheapHash = (password: string): PasswordHash => {
  const cost = { N: 16, r: 1, p: 1 }
  const salt = randomBytes(16)
  const hash = scryptSync(password, salt, 32, cost)
  const parts = ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), hash.toString("base64url")]
  return { stored: parts.join("$") }
}
