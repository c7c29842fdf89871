/** One request to an integration and its answer, as the log of a connection keeps them: cut, and without secrets. */
import { storable } from "../basics/PlainText.ts"

export interface Exchange {
  /** Unix milliseconds. */
  readonly at: number
  readonly method: string
  readonly url: string
  readonly request: string | null
  /** Null: there was no answer. */
  readonly status: number | null
  readonly response: string | null
  /** Why there was no answer, as a sentence. */
  readonly error: string | null
  readonly durationMs: number
}

const longestUrl = 500
const longestBody = 2_000
/** Shorter values would be found everywhere. */
const shortestSecret = 6

const cut = (text: string, longest: number) => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`)

/** The exchange as it is stored: each secret is replaced by stars, also in the form that it has in addresses. */
export const logged = (exchange: Exchange, secrets: ReadonlyArray<string>): Exchange => {
  // The longest first: one form may be a part of another.
  const words = secrets
    .filter((secret) => secret.length >= shortestSecret)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((a, b) => b.length - a.length)
  const clean = (text: string | null, longest: number) =>
    text === null ? null : cut(storable(words.reduce((left, word) => left.replaceAll(word, "********"), text)), longest)
  return {
    ...exchange,
    url: clean(exchange.url, longestUrl) ?? "",
    request: clean(exchange.request, longestBody),
    response: clean(exchange.response, longestBody),
    error: clean(exchange.error, longestUrl)
  }
}
