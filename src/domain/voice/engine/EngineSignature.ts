/**
 * How app and engine prove themselves to each other: `X-Engine-Signature: t=<unix seconds>,v1=<hex>`, where v1 is HMAC-SHA256
 * over `<t>.<METHOD>.<path>.<raw body>`; the path includes the query. A signature is valid for 300 s and for one request. Two equal requests
 * within a second would have the same signature, so a client makes each attempt unique with a query field (`attempt`).
 */
import { createHmac, timingSafeEqual } from "node:crypto"

export const engineSignatureHeader = "x-engine-signature"
const signatureLifetimeSeconds = 300

export interface SignedRequest {
  /** Upper case. */
  readonly method: string
  /** Path and query as on the request line. */
  readonly path: string
  /** A text stands for its bytes in UTF-8. */
  readonly body: string | Uint8Array
}

const digest = (secret: string, t: string, { method, path, body }: SignedRequest): Buffer =>
  createHmac("sha256", secret).update(`${t}.${method}.${path}.`).update(body).digest()

/** The header's value; `nowMs` is Unix time in milliseconds. */
export const signEngineRequest = (secret: string, request: SignedRequest, nowMs: number): string => {
  const t = String(Math.floor(nowMs / 1000))
  return `t=${t},v1=${digest(secret, t, request).toString("hex")}`
}

/** Remembers used signatures until they expire. Only signatures that verified enter, so outsiders cannot fill it. */
export class ReplayCache {
  readonly #seen = new Map<string, number>()
  readonly #capacity: number

  /** Keeps at most `capacity` signatures: beyond that the oldest are forgotten before they expire. */
  constructor(capacity = 200_000) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#seen.size
  }

  /** True the first time; `expiresAt` and `now` are Unix seconds. */
  add(signature: string, expiresAt: number, now: number): boolean {
    if (this.#seen.has(signature)) return false
    for (const [oldest, expiry] of this.#seen) {
      if (expiry >= now && this.#seen.size < this.#capacity) break
      this.#seen.delete(oldest)
    }
    this.#seen.set(signature, expiresAt)
    return true
  }
}

/** Why a signature is refused. The reason goes to the log only; the HTTP answer is just 401. */
export type SignatureRefusal = "missing" | "malformed" | "expired" | "wrong" | "reused"

const headerForm = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/

/** Why a header is refused whatever it signs; `undefined` when the request must be read to know. `nowMs` is Unix time in milliseconds. */
export const refusedHeader = (header: string | undefined, nowMs: number): SignatureRefusal | undefined => {
  if (header === undefined || header === "") return "missing"
  const [, t] = headerForm.exec(header) ?? []
  if (t === undefined) return "malformed"
  return Math.abs(Math.floor(nowMs / 1000) - Number(t)) > signatureLifetimeSeconds ? "expired" : undefined
}

/**
 * Checks a request's signature header. Returns `undefined` when it is valid, and marks it as used in `replay`; otherwise returns the reason.
 * `nowMs` is Unix time in milliseconds. The digest is compared in constant time.
 */
export const verifyEngineRequest = (
  secret: string,
  header: string | undefined,
  request: SignedRequest,
  nowMs: number,
  replay: ReplayCache
): SignatureRefusal | undefined => {
  const refusal = refusedHeader(header, nowMs)
  if (refusal !== undefined) return refusal
  const [, t = "", v1 = ""] = headerForm.exec(header ?? "") ?? []
  const now = Math.floor(nowMs / 1000)
  if (!timingSafeEqual(digest(secret, t, request), Buffer.from(v1, "hex"))) return "wrong"
  return replay.add(v1, Number(t) + signatureLifetimeSeconds, now) ? undefined : "reused"
}
