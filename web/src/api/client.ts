/** The client of the service, generated from its definitions (`clients/typescript`). The session's cookie counts; the CSRF token is in memory only. */
import { Parley } from "@parley/client"

let csrfToken: string | undefined

/** Told of each new session: its token goes with every change. */
export const setCsrfToken = (token: string | undefined): void => {
  csrfToken = token
}

export const csrf = (): string | undefined => csrfToken

const unauthorized = new Set<() => void>()

/** Operations whose 401 is about what was sent with them: a password or a token. */
const ownProof = /^(session\.|setup\.|users\.acceptInvitation$)/

/** Told when a request was refused because the session is over. */
export const onUnauthorized = (listener: () => void) => {
  unauthorized.add(listener)
  return () => void unauthorized.delete(listener)
}

/** What is sent while the page is left goes on without it. */
let leaving = false
if (typeof window !== "undefined") {
  // Before all others that are told: they send what waits.
  const leave = ({ type }: Event) => {
    leaving = type === "pagehide"
  }
  addEventListener("pagehide", leave, { capture: true })
  addEventListener("pageshow", leave)
}
const request = globalThis.fetch.bind(globalThis)

export const parley = new Parley({
  baseUrl: "",
  csrfToken: csrf,
  timeoutMs: 20_000,
  retries: 2,
  longestWaitMs: 15_000,
  fetch: (input, init) => request(input, leaving ? { ...init, keepalive: true } : init),
  onAnswer: ({ status, operation }) => {
    if (status === 401 && !ownProof.test(operation)) for (const listener of unauthorized) listener()
  }
})
