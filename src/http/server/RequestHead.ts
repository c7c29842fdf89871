/**
 * Reads the head of a request, which uWebSockets.js provides only during its callback, and finds what RFC 9112 tells a server to refuse. The library
 * itself refuses some of it, with answers in HTML (docs/decisions.md, "What answers a malformed request").
 */
import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import { Option } from "effect"
import { Headers } from "effect/http"
import type { makeClientAddress } from "./ClientAddress.ts"

type ClientAddress = ReturnType<typeof makeClientAddress>

/** The prototype for new headers. Setting a prototype on an existing object would create a hidden class for each request. */
const headersPrototype: object = Object.getPrototypeOf(Headers.empty)

const headersOf = (req: HttpRequest): Headers.Headers => {
  const headers: Headers.Headers & Record<string, string> = Object.create(headersPrototype)
  req.forEach((name, value) => {
    // Assigning to this name would set the prototype.
    if (name === "__proto__") return
    const before = Object.hasOwn(headers, name) ? `${headers[name]}${name === "cookie" ? "; " : ", "}` : ""
    headers[name] = before + value
  })
  return headers
}

/** Copies the data of the request that the library provides only during the callback. */
export const readHead = (res: HttpResponse, req: HttpRequest, clientAddress: ClientAddress) => {
  const query = req.getQuery()
  const peer = Buffer.from(res.getRemoteAddressAsText()).toString()
  const headers = headersOf(req)
  return {
    method: req.getCaseSensitiveMethod(),
    url: query ? `${req.getUrl()}?${query}` : req.getUrl(),
    headers,
    remoteAddress: Option.some(clientAddress(peer, headers["x-forwarded-for"])),
    peerAddress: Option.some(peer)
  }
}

/** Names, addresses and a port. Two headers `Host` are joined with a comma, which is not in here. */
const hostForm = /^[\w.~%!$&'()*+;=:[\]-]*$/
/** A number of bytes that is exact. Two headers are joined with a comma. */
const lengthForm = /^\d{1,15}$/

/**
 * Why the body of the request, or the service that it is for, is not certain, as a sentence; `undefined` when both are. Another program in front may
 * read such a request differently, and could then take a part of its body for another request.
 */
export const framingProblem = (headers: Headers.Headers): string | undefined => {
  const { host, "content-length": length, "transfer-encoding": coding } = headers
  if (host !== undefined && !hostForm.test(host)) return "Send the header Host once, with a name and perhaps a port."
  if (length !== undefined && !lengthForm.test(length))
    return "Send the header Content-Length once, with the number of bytes of the body."
  if (coding === undefined) return undefined
  if (length !== undefined) return "Send Content-Length or Transfer-Encoding, not both."
  return coding.toLowerCase() === "chunked" ? undefined : "The only Transfer-Encoding that is understood is chunked."
}
