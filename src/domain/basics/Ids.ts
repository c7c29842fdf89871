/** Identifiers: a prefix that says what it names, then 26 time-ordered characters (ULID, Crockford base 32). */
import { createHash, randomFillSync } from "node:crypto"

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

/** The identifier that is always the same for `seed`: what is made of the same cause once more is known by it. Tells no time. */
export const idFrom = (prefix: IdPrefix, seed: string): string => {
  const digest = createHash("sha256").update(seed).digest()
  return `${prefix}_${Array.from({ length: 26 }, (_, i) => alphabet[digest[i] & 31]).join("")}`
}

/** Whether a text from outside has the form of an identifier, generously: what is not ours is not found. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{1,60}$/.test(text.slice(prefix.length + 1))
