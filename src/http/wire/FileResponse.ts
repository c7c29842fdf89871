/** A stored file over HTTP: whole or in part, streamed as fast as the client reads, never interpreted by a browser. */
import { Effect, type Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ByteRange, ObjectNotFound, ObjectStorageError } from "../../domain/basics/ObjectStorage.ts"
import { hasVersion, isOfVersion, requestedRange } from "./ByteRanges.ts"
import { errorResponse, NotFound, ServerError } from "./Errors.ts"

export interface StoredFile {
  readonly size: number
  /** Strong, with its quotes. */
  readonly etag: string
  readonly contentType: string
  /** What it is called when it is saved. */
  readonly fileName: string
  /** A page may show it where it is; otherwise browsers save it. */
  readonly inline?: boolean
  readonly read: (range: ByteRange) => Stream.Stream<Uint8Array, unknown>
}

/** Everything but letters, digits and a few signs that RFC 5987 lets stand as they are. */
const encoded = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** `filename` for old programs, in ASCII; `filename*` (RFC 5987) beside it when that is not the whole name. */
const contentDisposition = (fileName: string, inline = false): string => {
  const ascii = fileName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]|["\\%]/gu, "_")
  const whole = ascii === fileName ? "" : `; filename*=UTF-8''${encoded(fileName.replace(/\p{Cs}/gu, ""))}`
  return `${inline ? "inline" : "attachment"}; filename="${ascii}"${whole}`
}

/**
 * What the object storage knows of the content, or 404 and 500 with these sentences. Asked before the answer begins: afterwards the only way to say
 * that something is missing is to cut the connection.
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

/** 200, 206, 304 or 416, as `Range`, `If-Range` and `If-None-Match` of the request say. */
export const fileResponse = (
  { headers }: HttpServerRequest.HttpServerRequest,
  { size, etag, contentType, fileName, inline, read }: StoredFile
): HttpServerResponse.HttpServerResponse => {
  const common = {
    etag,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    "x-content-type-options": "nosniff",
    // Should a browser open it all the same, nothing in it runs, and nothing of it is of our origin.
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
