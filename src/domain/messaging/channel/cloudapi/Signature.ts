/** The Cloud API's signature of webhooks (`X-Hub-Signature-256`), over the received bytes, and the proof that goes with an access token. */
import { createHmac, type Hmac, timingSafeEqual } from "node:crypto"

/** The digest that a signature gives; `undefined` when it is missing or malformed. */
export const signedDigest = (signature: string | undefined): Buffer | undefined => {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(signature ?? "")?.[1]
  return given === undefined ? undefined : Buffer.from(given, "hex")
}

/** Checks a body against a digest while it arrives. */
export class WebhookCheck {
  readonly appSecret: string
  readonly #hmac: Hmac

  constructor(appSecret: string) {
    this.appSecret = appSecret
    this.#hmac = createHmac("sha256", appSecret)
  }
  update(chunk: Uint8Array): void {
    this.#hmac.update(chunk)
  }
  /** Whether the app with this secret signed the body. Ends the check; takes constant time. */
  fits(digest: Buffer): boolean {
    return timingSafeEqual(digest, this.#hmac.digest())
  }
}

/** `appsecret_proof`: proves that the sender of the token also has the app's secret. */
export const appSecretProof = (appSecret: string, accessToken: string): string =>
  createHmac("sha256", appSecret).update(accessToken).digest("hex")
