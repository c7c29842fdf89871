/**
 * A file fetched from an address that somebody else gave: the messaging channel says where a contact's file is. Each address on the way, the first
 * one and those that redirects name, must be on the public internet and use https. Only the provider's own origin, which the operator configured, may
 * be elsewhere.
 */
import { isIP } from "node:net"
import { Data, Effect } from "effect"
import { Agent, fetch } from "undici"
import { messageOf } from "../../domain/basics/ErrorMessage.ts"
import { isPublicAddress, type Lookup, PrivateAddress, publicLookup } from "./PublicNetwork.ts"

/** The most redirects of one file. */
export const mostRedirects = 3

/** The address, or that of a redirect, may not be connected to; `message` is a clause. */
export class AddressRefused extends Data.TaggedError("AddressRefused")<{ readonly message: string }> {}
/** There was no answer. */
export class DownloadFailed extends Data.TaggedError("DownloadFailed")<{ readonly message: string }> {}

export interface GuardedDownloadOptions {
  /** The origin of the configured provider, e.g. `https://graph.facebook.com`. */
  readonly ownOrigin: string
  /** How other names are resolved. Default: `publicLookup`. */
  readonly lookup?: Lookup
}

export type Download = Effect.Success<ReturnType<Effect.Success<ReturnType<typeof makeGuardedDownload>>>>

/** Why this address may not be connected to, as a clause; `undefined` when it may. Names are checked again when they are resolved. */
export const addressProblem = (url: URL, ownOrigin: string): string | undefined => {
  if (url.origin === ownOrigin) return undefined
  if (url.protocol !== "https:") return "it is not https"
  if (url.username !== "" || url.password !== "") return "it holds a user name or password"
  const host = url.hostname.replace(/^\[|\]$/g, "")
  return isIP(host) !== 0 && !isPublicAddress(host) ? `${host} is not a public address` : undefined
}

/** The headers for the next address: credentials stay with the origin that they were meant for. */
export const headersFor = (
  next: URL,
  before: URL,
  headers: Readonly<Record<string, string>>
): Readonly<Record<string, string>> =>
  next.origin === before.origin
    ? headers
    : Object.fromEntries(
        Object.entries(headers).filter(([name]) => !["authorization", "cookie"].includes(name.toLowerCase()))
      )

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)

const isPrivate = (cause: unknown): cause is PrivateAddress =>
  cause instanceof PrivateAddress || (cause instanceof Error && isPrivate(cause.cause))

/**
 * Makes the function that fetches a file and gives its answer, whatever the status; its body can be read while the scope is open. Its connections
 * close with the scope of this effect.
 */
export const makeGuardedDownload = Effect.fnUntraced(function* ({
  ownOrigin,
  lookup = publicLookup
}: GuardedDownloadOptions) {
  const close = (agent: Agent) => Effect.promise(() => agent.destroy())
  const own = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent()),
    close
  )
  const elsewhere = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ connect: { lookup } })),
    close
  )

  return Effect.fnUntraced(function* (address: string, credentials: Readonly<Record<string, string>>) {
    const abort = yield* Effect.acquireRelease(
      Effect.sync(() => new AbortController()),
      (controller) => Effect.sync(() => controller.abort())
    )
    let url = new URL(address)
    let headers = credentials
    for (let redirects = 0; ; redirects++) {
      const problem = addressProblem(url, ownOrigin)
      if (problem !== undefined) return yield* new AddressRefused({ message: problem })
      const dispatcher = url.origin === ownOrigin ? own : elsewhere
      const answer = yield* Effect.tryPromise({
        try: () => fetch(url.href, { headers, signal: abort.signal, redirect: "manual", dispatcher }),
        catch: (cause) =>
          isPrivate(cause)
            ? new AddressRefused({ message: `${url.hostname} is not a public address` })
            : new DownloadFailed({ message: messageOf(cause) })
      })
      const location = answer.headers.get("location")
      if (!isRedirect(answer.status) || location === null) return answer
      // The body of a redirect is not needed; unread it would hold its connection.
      yield* Effect.promise(() => (answer.body?.cancel() ?? Promise.resolve()).catch(() => undefined))
      if (redirects === mostRedirects)
        return yield* new AddressRefused({ message: `it redirects more than ${mostRedirects} times` })
      if (!URL.canParse(location, url.href)) return yield* new AddressRefused({ message: "it redirects to no address" })
      const next = new URL(location, url)
      headers = headersFor(next, url, headers)
      url = next
    }
  })
})
