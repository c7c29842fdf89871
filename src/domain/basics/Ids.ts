/** Identifiers: a prefix that says what kind of thing they name, then 26 time-ordered characters (ULID, Crockford base 32). */
import { createHash, randomFillSync } from "node:crypto"

export type IdPrefix =
  | "org"
  | "usr"
  | "key"
  | "tel"
  | "cnt"
  | "cnv"
  | "msg"
  | "nte"
  | "med"
  | "agt"
  | "bot"
  | "num"
  | "call"
  | "lst"
  | "rec"
  | "utt"
  | "evt"
  | "aud"
  | "req"
  | "trf"
  | "ses"
  | "agv"
  | "str"
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
  | "imp"
  | "cmd"
  | "cmp"
  | "prd"
  | "ord"
  | "pay"
  | "sup"
  | "crt"
  | "con"
  | "syn"
  | "arr"
  | "xch"
  | "pst"
  | "trn"
  | "mcs"
  | "ocl"
  | "kb"
  | "kns"
  | "knq"
  | "evs"
  | "evr"
  | "opr"
  | "ops"
  | "nod"
  | "rsy"
  | "iev"

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const tailLength = 16
/** Random bytes for 256 ids at a time: one call of the generator costs more than the rest of an id. */
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

/** An identifier that is always the same for the same `seed`, so that whatever is made twice from one cause gets one id. It carries no time. */
export const idFrom = (prefix: IdPrefix, seed: string): string => {
  const digest = createHash("sha256").update(seed).digest()
  return `${prefix}_${Array.from({ length: 26 }, (_, i) => alphabet[digest[i] & 31]).join("")}`
}

/** Whether a text from outside may be an identifier. The check is generous, because the lookup finds no id that we did not make. */
export const isId = (prefix: IdPrefix, text: string): boolean =>
  text.startsWith(`${prefix}_`) && /^[0-9A-Za-z]{1,60}$/.test(text.slice(prefix.length + 1))
