/** Seals what is kept of calls outside of the engine: it holds what was said, and secrets of the call. Only engines with the same secret read it. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto"

const ivBytes = 12
const tagBytes = 16
const mostOfPrefix = 2 ** 32
const algorithm = "aes-256-gcm"

export interface CheckpointSeal {
  readonly seal: (text: string) => Uint8Array
  /** Undefined when it was sealed with another secret, or is damaged. */
  readonly open: (sealed: Uint8Array) => string | undefined
}

/**
 * Initialisation vectors, of which none may come twice with a key: eight random bytes, which no other engine has, and a count. Twelve random bytes for
 * each would take a third of the time of sealing.
 */
const ivs = (): (() => Buffer) => {
  let iv = Buffer.alloc(0)
  let count = mostOfPrefix
  return () => {
    if (count === mostOfPrefix) {
      iv = randomBytes(ivBytes)
      count = 0
    }
    iv.writeUInt32LE(count++, ivBytes - 4)
    return iv
  }
}

export const make = (secret: string): CheckpointSeal => {
  const key = createHmac("sha256", secret).update("checkpoints of calls").digest()
  const nextIv = ivs()
  return {
    seal: (text) => {
      const iv = nextIv()
      const cipher = createCipheriv(algorithm, key, iv, { authTagLength: tagBytes })
      const sealed = [cipher.update(text, "utf8"), cipher.final()]
      return Buffer.concat([iv, cipher.getAuthTag(), ...sealed])
    },
    open: (sealed) => {
      if (sealed.length < ivBytes + tagBytes) return undefined
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
      decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
      try {
        return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString("utf8")
      } catch {
        return undefined
      }
    }
  }
}
