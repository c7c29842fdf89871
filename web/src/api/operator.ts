/** The client of the operators' pages. Their session is not that of people: it has a cookie and a CSRF token of its own. */
import { OperatorsClient } from "./operators/OperatorsClient.ts"

let csrfToken: string | undefined

export const setOperatorCsrf = (token: string | undefined): void => {
  csrfToken = token
}

const ended = new Set<() => void>()

/** Told when a request was refused because the operator's session is over. */
export const onOperatorEnded = (listener: () => void) => {
  ended.add(listener)
  return () => void ended.delete(listener)
}

const request = globalThis.fetch.bind(globalThis)

export const operator = new OperatorsClient({
  baseUrl: "",
  csrfToken: () => csrfToken,
  timeoutMs: 20_000,
  retries: 2,
  longestWaitMs: 15_000,
  fetch: (input, init) => request(input, init),
  onAnswer: ({ status, operation }) => {
    if (status === 401 && !operation.startsWith("operatorSession.")) for (const listener of ended) listener()
  }
})
