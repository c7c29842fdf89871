/** The provider's request signature: base64(HMAC-SHA1(token, url + every name and value, sorted by name)). */
import { createHmac } from "node:crypto"

/** Signs `url` exactly as configured (webhooks) or as written in the TwiML (streams, which have no `params`). */
export const sign = (authToken: string, url: string, params: Readonly<Record<string, string>> = {}): string => {
  const content = Object.keys(params)
    .sort()
    .reduce((text, name) => text + name + params[name], url)
  return createHmac("sha1", authToken).update(content, "utf8").digest("base64")
}
