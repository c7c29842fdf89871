/** Identifiers: a prefix that says what it names, then 26 time-ordered characters (ULID, Crockford base 32). */
import { randomFillSync } from "node:crypto"

export type IdPrefix =
  | "org"
  | "usr"
  | "key"
  | "tel"
  | "cnt"
  | "cnv"
  | "msg"
  | "med"
  | "agt"
  | "bot"
  | "num"
  | "call"
  | "utt"
  | "evt"
  | "aud"
  | "req"

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const random = new Uint8Array(16)

/** A fresh identifier such as `call_01KAJ3…`; `nowMs` is Unix time in milliseconds. */
export const newId = (prefix: IdPrefix, nowMs: number = Date.now()): string => {
  let time = ""
  for (let rest = nowMs, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  randomFillSync(random)
  let tail = ""
  for (let i = 0; i < 16; i++) tail += alphabet[random[i] & 31]
  return `${prefix}_${time}${tail}`
}
