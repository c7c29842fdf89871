/** Comparing what came from outside with a secret. */
import { timingSafeEqual } from "node:crypto"

/** Whether the texts are the same. It takes as long for a wrong text as for a right one of the same length. */
export const sameSecret = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  // `timingSafeEqual` throws when the lengths in bytes differ.
  return left.length === right.length && timingSafeEqual(left, right)
}
