/**
 * Checks the address of a request, before a route is looked for. Routes have one spelling each: what another program takes for a different address,
 * such as a proxy that keeps one from the public, is a different one here.
 */

/** Addresses in which there is nothing to check: most of them. */
const plain = /^(?:\/[\w\-.~!$&'()*+,=:@]+)+(?:\?[\w\-.~!$&'()*+,=:@/?;]*)?$/
const control = /(?![\x80-\x9f])\p{Cc}/u
/** Letters, digits and the few signs that need no percent-encoding. */
const needlesslyEncoded = /%(?:2[de]|3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\dae])/i

/** What is wrong with an address: 400 with a sentence, or 404 because no route has this spelling. */
export type TargetProblem = { readonly status: 400; readonly error: string } | { readonly status: 404 }

const malformed = (error: string): TargetProblem => ({ status: 400, error })
const elsewhere: TargetProblem = { status: 404 }

/** The text behind the percent-encoding; `undefined` when it is none, or not of UTF-8. */
const decoded = (target: string): string | undefined => {
  try {
    return decodeURIComponent(target)
  } catch {
    return undefined
  }
}

/** The problem of the path and the query of a request line; `undefined` when there is none. */
export const targetProblem = (target: string): TargetProblem | undefined => {
  if (plain.test(target)) return undefined
  const text = decoded(target)
  // Bytes that are not UTF-8 have become this character.
  if (text === undefined || target.includes("\uFFFD"))
    return malformed("The address of the request is not UTF-8 with percent-encoding.")
  if (control.test(text)) return malformed("The address of the request contains a control character.")
  if (target.includes("#")) return malformed("The address of the request contains a #, which must be written as %23.")
  const [path] = target.split("?", 1)
  const wrong = path.includes(";") || path.includes("//") || (path.endsWith("/") && path !== "/")
  return wrong || needlesslyEncoded.test(path) ? elsewhere : undefined
}
