/** Checks the settings that say where the sound of calls is. A problem is a sentence that names the setting to change. */
import { Option } from "effect"
import { messageOf } from "../domain/basics/ErrorMessage.ts"
import { readCertificates } from "../integrations/sound/LinkCertificates.ts"
import { parseTlsAddress } from "../integrations/sound/TlsAddress.ts"
import type { Purpose, Raw } from "./Environment.ts"

/** Streams come to a port of their own. */
export const wrongMediaPort = ({ internal, mediaPort, port }: Raw): string | undefined =>
  Option.isSome(mediaPort) && (mediaPort.value === port || mediaPort.value === Option.getOrUndefined(internal.port))
    ? "MEDIA_PORT must be another port than PORT and INTERNAL_PORT."
    : undefined

const linkExample = "tls://media-1.example.com:8443"

/** Processes with the sound on other machines, and the certificate that they are shown. */
export const wrongMediaLinks = (
  { mediaLinks, streamUrl, publicBaseUrl }: Raw,
  purpose: Purpose
): string | undefined => {
  const { addresses, cert, key, ca } = mediaLinks
  const files = [cert, key, ca]
  if (addresses.length === 0)
    return files.some(Option.isSome)
      ? `MEDIA_LINK_CERT, MEDIA_LINK_KEY and MEDIA_LINK_CA need MEDIA_LINKS, e.g. ${linkExample}.`
      : undefined
  const wrong = addresses.find((address) => parseTlsAddress(address) === undefined)
  if (wrong !== undefined)
    return `MEDIA_LINKS: ${wrong} must look like ${linkExample}, with a port and nothing behind it.`
  const twice = addresses.find((address, at) => addresses.indexOf(address) !== at)
  if (twice !== undefined) return `MEDIA_LINKS names ${twice} twice.`
  if (Option.isNone(cert) || Option.isNone(key) || Option.isNone(ca))
    return "MEDIA_LINKS needs MEDIA_LINK_CERT, MEDIA_LINK_KEY and MEDIA_LINK_CA: both sides of a link show a certificate."
  if (Option.isNone(streamUrl) && Option.isNone(publicBaseUrl))
    return "MEDIA_LINKS needs STREAM_URL: the provider connects its streams to the machines that are named there."
  // Apps take no calls, and need not be able to read the key.
  if (purpose === "app" || purpose === "administration") return undefined
  try {
    readCertificates({ cert: cert.value, key: key.value, ca: ca.value })
    return undefined
  } catch (cause) {
    return `MEDIA_LINKS: ${messageOf(cause)}`
  }
}
