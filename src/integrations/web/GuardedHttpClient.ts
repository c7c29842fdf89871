/**
 * Effect's `HttpClient` for the services of others: it reaches only public addresses over https, reads bounded answers and follows no redirects. The
 * operator's own origins (a provider's address, which may be a simulator's) are reached wherever they are.
 */
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"
import { LargestAnswer } from "../../domain/basics/limits/LargestAnswer.ts"
import { guardedExchange } from "./GuardedExchange.ts"
import { type Lookup, PrivateAddress } from "./PublicNetwork.ts"

export interface GuardedHttpClientOptions {
  /** Origins that the operator configured, e.g. `https://api.hubapi.com`. */
  readonly ownOrigins?: ReadonlyArray<string>
  /** Allows all addresses, without TLS: for demo and development. */
  readonly allowPrivateNetwork?: boolean
  /** How names are resolved. Default: by the system's name servers, to public addresses only. */
  readonly lookup?: Lookup
}

/** Answers with these statuses have no body. */
const bodyless = new Set([101, 204, 205, 304])

const bytesOf = ({ body }: HttpClientRequest.HttpClientRequest): Uint8Array | undefined =>
  body._tag === "Uint8Array" ? body.body : undefined

export const layer = ({ ownOrigins = [], allowPrivateNetwork = false, lookup }: GuardedHttpClientOptions = {}) =>
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request, url) => {
      const isOwn = allowPrivateNetwork || ownOrigins.includes(url.origin)
      const failed = (cause: unknown) =>
        new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
      if (!isOwn && url.protocol !== "https:")
        return Effect.fail(failed(new PrivateAddress({ message: "the address is not https" })))
      const body = bytesOf(request)
      const contentType = request.body._tag === "Uint8Array" ? request.body.contentType : undefined
      return Effect.flatMap(LargestAnswer, (maxBytes) =>
        guardedExchange(url, {
          method: request.method,
          headers: { ...request.headers, ...(contentType === undefined ? {} : { "content-type": contentType }) },
          ...(body === undefined ? {} : { body }),
          allowPrivateNetwork: isOwn,
          maxBytes,
          ...(lookup === undefined ? {} : { lookup })
        })
      ).pipe(
        Effect.mapError(failed),
        Effect.map(({ status, headers, bytes }) => {
          const fields = Object.entries(headers).flatMap(
            ([name, value]): Array<[string, string]> =>
              value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]]
          )
          const source = new Response(bodyless.has(status) ? null : new Uint8Array(bytes), { status, headers: fields })
          return HttpClientResponse.fromWeb(request, source)
        })
      )
    })
  )
