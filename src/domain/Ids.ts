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
  | "rec"
  | "utt"
  | "evt"
  | "aud"
  | "req"
  | "trf"
  | "ses"
  | "idk"
  | "cns"
  | "chn"
  | "inb"
  | "whk"
  | "dlv"
  | "tpl"
  | "qrp"
  | "brd"
  | "dev"
  | "exp"
  | "cmd"

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const tailLength = 16
/** Fetched for 256 ids at a time: a call of the generator costs more than all the rest of an id. */
const random = new Uint8Array(256 * tailLength)
let used = random.length

/** A fresh identifier such as `call_01KAJ3…`; `nowMs` is Unix time in milliseconds. */
export const newId = (prefix: IdPrefix, nowMs: number = Date.now()): string => {
  let time = ""
  for (let rest = nowMs, i = 0; i < 10; i++, rest = Math.floor(rest / 32)) time = alphabet[rest % 32] + time
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  let tail = ""
  for (const end = used + tailLength; used < end; used++) tail += alphabet[random[used] & 31]
  return `${prefix}_${time}${tail}`
}
