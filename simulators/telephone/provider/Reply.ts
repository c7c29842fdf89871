/** One request to the provider's REST interface, and what its handlers answer. */
import type { Provider } from "./Provider.ts"

export interface RestRequest {
  readonly provider: Provider
  readonly method: string
  /** The account in the path, else the account that sends the request. */
  readonly accountSid: string
  /** The matches of the groups in the route's pattern. */
  readonly params: ReadonlyArray<string>
  readonly query: URLSearchParams
  readonly form: URLSearchParams
}

export interface Reply {
  readonly status: number
  readonly body?: unknown
  /** A WAV file instead of a document. */
  readonly audio?: Buffer
}

export type RestHandler = (request: RestRequest) => Reply

export const refusal = (status: number, code: number, message: string): Reply => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status }
})

export const notFound = () => refusal(404, 20404, "The requested resource was not found")
export const notAllowed = () => refusal(405, 20004, "Method not allowed")
export const gone: Reply = { status: 204 }

/** One page of a list, in the provider's form. */
export const page = (request: RestRequest, uri: string, name: string, items: ReadonlyArray<unknown>): Reply => {
  const size = Number(request.query.get("PageSize") ?? 50)
  const index = Number(request.query.get("Page") ?? 0)
  const at = (number: number) => `${uri}?PageSize=${size}&Page=${number}`
  const shown = items.slice(index * size, (index + 1) * size)
  return {
    status: 200,
    body: {
      [name]: shown,
      page: index,
      page_size: size,
      start: index * size,
      end: Math.max(0, index * size + shown.length - 1),
      uri: at(index),
      first_page_uri: at(0),
      next_page_uri: (index + 1) * size < items.length ? at(index + 1) : null,
      previous_page_uri: index > 0 ? at(index - 1) : null
    }
  }
}
