/** Answers with a stored file, whole or in part. It is streamed as fast as the client reads, and browsers run nothing in it. */
import { Effect, type Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ByteRange, ObjectNotFound, ObjectStorageError } from "../../domain/basics/ObjectStorage.ts"
import { hasVersion, isOfVersion, requestedRange } from "./ByteRanges.ts"
import { errorResponse, NotFound, ServerError } from "./Errors.ts"

export interface StoredFile {
  readonly size: number
  /** A strong ETag, with its quotes. */
  readonly etag: string
  readonly contentType: string
  /** The name under which clients save the file. */
  readonly fileName: string
  /** With true a page may show the file directly; otherwise browsers save it. */
  readonly inline?: boolean
  readonly read: (range: ByteRange) => Stream.Stream<Uint8Array, unknown>
}

/** Percent-encodes everything except letters, digits and the few signs that RFC 5987 allows. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** The header Content-Disposition: `filename` in ASCII for old programs, and `filename*` (RFC 5987) too when the ASCII name differs. */
const contentDisposition = (fileName: string, inline = false): string => {
  const ascii = fileName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]|["\\%]/gu, "_")
  const whole = ascii === fileName ? "" : `; filename*=UTF-8''${encoded(fileName.replace(/\p{Cs}/gu, ""))}`
  return `${inline ? "inline" : "attachment"}; filename="${ascii}"${whole}`
}

/**
 * The result of looking up a file in the object storage; fails with 404 or 500 and these sentences. Run it before the answer begins: afterwards only
 * closing the connection can show that a file is missing.
 */
export const present = <A, R>(
  found: Effect.Effect<A, ObjectNotFound | ObjectStorageError, R>,
  sentences: { readonly missing: string; readonly unreadable: string }
) =>
  found.pipe(
    Effect.tapError((error) => Effect.logError(sentences.unreadable, error)),
    Effect.catchTags({
      ObjectNotFound: () => new NotFound({ error: sentences.missing }),
      ObjectStorageError: () => new ServerError({ error: sentences.unreadable })
    })
  )

/** The answer with a file: 200, 206, 304 or 416, depending on `Range`, `If-Range` and `If-None-Match` of the request. */
export const fileResponse = (
  { headers }: HttpServerRequest.HttpServerRequest,
  { size, etag, contentType, fileName, inline, read }: StoredFile
): HttpServerResponse.HttpServerResponse => {
  const common = {
    etag,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    // If a browser opens the file anyway, nothing in it runs, and it has no access to our origin.
    "content-security-policy": "sandbox; default-src 'none'"
  }
  if (hasVersion(headers["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers: common })
  const asked = isOfVersion(headers["if-range"], etag) ? requestedRange(headers.range, size) : "whole"
  if (asked === "unsatisfiable")
    return errorResponse(416, `The file has ${size} bytes; the range begins after them.`).pipe(
      HttpServerResponse.setHeaders({ ...common, "content-range": `bytes */${size}` })
    )
  const range = asked === "whole" ? { start: 0, end: size - 1 } : asked
  return HttpServerResponse.stream(read(range), {
    status: asked === "whole" ? 200 : 206,
    contentType,
    contentLength: range.end - range.start + 1,
    headers: {
      ...common,
      "content-disposition": contentDisposition(fileName, inline),
      ...(asked === "whole" ? {} : { "content-range": `bytes ${range.start}-${range.end}/${size}` })
    }
  })
}
