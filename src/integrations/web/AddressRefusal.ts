/** Why a customer's address cannot be used, before anything is sent there. Names are checked again when they are resolved. */
import { isIP } from "node:net"
import { isPublicAddress } from "./PublicNetwork.ts"

/** Gives the function that says it as a clause; `undefined`: the address may be tried. */
export const addressRefusal =
  ({ allowPrivateNetwork }: { readonly allowPrivateNetwork: boolean }) =>
  (url: string): string | undefined => {
    if (allowPrivateNetwork) return undefined
    const { protocol, hostname } = new URL(url)
    if (protocol !== "https:") return "it must be an https URL."
    const host = hostname.replace(/^\[|\]$/g, "")
    const local = host === "localhost" || host.endsWith(".localhost") || host.endsWith(".internal")
    return local || (isIP(host) !== 0 && !isPublicAddress(host)) ? "it is not on the public internet." : undefined
  }
