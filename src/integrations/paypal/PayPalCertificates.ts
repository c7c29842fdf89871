/**
 * Certificates by which PayPal signs webhooks. Only PayPal's own host is asked for one; its chain must end at a root that is trusted, be in force, and name
 * PayPal. Certificates are kept by their addresses.
 */
import { type KeyObject, X509Certificate } from "node:crypto"
import { getCACertificates } from "node:tls"
import { Effect } from "effect"
import { HttpClientRequest } from "effect/http"
import { AppRejection } from "../../domain/apps/AppInbound.ts"
import type { AppSession } from "../../domain/apps/AppSession.ts"
import { isOk } from "../../domain/apps/StatusFailure.ts"

/** The most certificates that are kept, and the longest chain. */
const mostKept = 50
const longestChain = 6
const longestText = 64 * 1024
const pathForm = /^\/v1\/notifications\/certs\/[\w-]{1,200}$/

const parsed = (pem: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(pem)
  } catch {
    // The caller reports it.
    return undefined
  }
}

const isInForce = ({ validFromDate, validToDate }: X509Certificate, now: number) =>
  validFromDate.getTime() <= now && now < validToDate.getTime()

/** Whether the certificate names a host of PayPal. */
const isOfPayPal = ({ subject }: X509Certificate) => /^CN=(?:[\w-]+\.)+paypal\.com$/m.test(subject)

const issued = (certificate: X509Certificate, issuer: X509Certificate) =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

/** Why a chain is not PayPal's, as a sentence, or the key that signs. `pem`: the certificate, followed by those that lead to a root, in any order. */
export const keyOfChain = (
  pem: string,
  roots: ReadonlyArray<X509Certificate>,
  now: number
): { readonly key: KeyObject; readonly until: number } | string => {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  if (texts.length === 0 || texts.length > longestChain) return "There is no certificate at PAYPAL-CERT-URL."
  const chain = texts.flatMap((text) => parsed(text) ?? [])
  const [leaf] = chain
  if (chain.length < texts.length || leaf === undefined) return "A certificate of PAYPAL-CERT-URL cannot be read."
  if (!isOfPayPal(leaf)) return "The certificate is not PayPal's."
  let [at, until] = [leaf, leaf.validToDate.getTime()]
  for (let steps = 0; steps <= longestChain; steps++) {
    if (!isInForce(at, now)) return "A certificate of the chain is not in force."
    until = Math.min(until, at.validToDate.getTime())
    const current = at
    if (roots.some((root) => isInForce(root, now) && issued(current, root))) return { key: leaf.publicKey, until }
    const issuer = chain.find((one) => one !== current && issued(current, one))
    if (issuer === undefined) break
    at = issuer
  }
  return "The chain of certificates ends at no root that is trusted."
}

const trusted = () => getCACertificates("default").flatMap((pem) => parsed(pem) ?? [])

const refused = (message: string) => new AppRejection({ status: 401, message })

/**
 * Gives the key of a certificate. `ownOrigins`: where PayPal's interface is, also when that is a simulator. `roots`: PEM; by default those that Node trusts,
 * with `NODE_EXTRA_CA_CERTS`.
 */
export const makePayPalKeys = (ownOrigins: ReadonlyArray<string>, roots?: ReadonlyArray<string>) => {
  const kept = new Map<string, { readonly key: KeyObject; readonly until: number }>()
  let known: ReadonlyArray<X509Certificate> | undefined

  const isPayPals = (url: URL) =>
    url.search === "" &&
    url.username === "" &&
    pathForm.test(url.pathname) &&
    (ownOrigins.includes(url.origin) ||
      (url.protocol === "https:" && /\.paypal\.com$/.test(url.hostname) && url.port === ""))

  return Effect.fnUntraced(function* ({ ask }: AppSession, address: string, now: number) {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (url === undefined || !isPayPals(url)) return yield* refused("PAYPAL-CERT-URL is no address of PayPal.")
    const before = kept.get(url.href)
    if (before !== undefined && now < before.until) return before.key
    const answer = yield* ask(HttpClientRequest.get(url.href))
    if (!isOk(answer) || answer.text.length > longestText)
      return yield* refused("There is no certificate at PAYPAL-CERT-URL.")
    known ??= roots === undefined ? trusted() : roots.flatMap((pem) => parsed(pem) ?? [])
    const found = keyOfChain(answer.text, known, now)
    if (typeof found === "string") return yield* refused(found)
    const [oldest] = kept.keys()
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest)
    kept.set(url.href, found)
    return found.key
  })
}
export type PayPalKeys = ReturnType<typeof makePayPalKeys>
