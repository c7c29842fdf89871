/** Answers with a built file: whole, in part, encoded, or not at all when the client has it. */
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { hasVersion, isOfVersion, requestedRange } from "../wire/ByteRanges.ts"
import { errorResponse } from "../wire/Errors.ts"
import type { BuiltEncoding, BuiltFile } from "./BuiltFiles.ts"

/** Whether `Accept-Encoding` takes an encoding. `q=0` refuses it. */
const takes = (header: string | undefined, encoding: BuiltEncoding): boolean =>
  (header ?? "").split(",").some((part) => {
    const [name, ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })

const chosenEncoding = (header: string | undefined, { encoded }: BuiltFile): BuiltEncoding | undefined =>
  (["br", "gzip"] as const).find((encoding) => encoded[encoding] !== undefined && takes(header, encoding))

/** `headers`: what is said besides, e.g. how long it may be stored. A part of a file is never encoded: its bytes are those of the file. */
export const builtFileResponse = (
  { headers: asked }: HttpServerRequest.HttpServerRequest,
  file: BuiltFile,
  headers: Readonly<Record<string, string>>
): HttpServerResponse.HttpServerResponse => {
  const { contentType, bytes, hash } = file
  const encoding = asked.range === undefined ? chosenEncoding(asked["accept-encoding"], file) : undefined
  const etag = `"${hash}${encoding === undefined ? "" : `-${encoding}`}"`
  const common = { ...headers, etag, "accept-ranges": "bytes", vary: "accept-encoding" }
  if (hasVersion(asked["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers: common })
  if (encoding !== undefined)
    return HttpServerResponse.uint8Array(file.encoded[encoding] ?? bytes, {
      contentType,
      headers: { ...common, "content-encoding": encoding }
    })
  const range = isOfVersion(asked["if-range"], etag) ? requestedRange(asked.range, bytes.length) : "whole"
  if (range === "unsatisfiable")
    return HttpServerResponse.setHeaders(
      errorResponse(416, `The file has ${bytes.length} bytes; the range begins after them.`),
      { "content-range": `bytes */${bytes.length}` }
    )
  if (range === "whole") return HttpServerResponse.uint8Array(bytes, { contentType, headers: common })
  return HttpServerResponse.uint8Array(bytes.subarray(range.start, range.end + 1), {
    status: 206,
    contentType,
    headers: { ...common, "content-range": `bytes ${range.start}-${range.end}/${bytes.length}` }
  })
}
