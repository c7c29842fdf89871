/** Reads the headers of a request about parts and versions of a file (RFC 9110, sections 13 and 14). */
import type { ByteRange } from "../../domain/basics/ObjectStorage.ts"

/** A single range. Numbers of more than 15 digits exceed any file. */
const single = /^bytes=(\d{0,15})-(\d{0,15})$/i

/**
 * The range of a file of `size` bytes that the header `Range` requests. Several ranges, other units and malformed headers give "whole", as the
 * standard allows. A range that begins after the end gives "unsatisfiable".
 */
export const requestedRange = (header: string | undefined, size: number): ByteRange | "whole" | "unsatisfiable" => {
  const [, first, last] = single.exec(header?.replace(/\s/g, "") ?? "") ?? []
  if (first === undefined || last === undefined || (first === "" && last === "")) return "whole"
  if (first === "") {
    const length = Math.min(Number(last), size)
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 }
  }
  const [start, end] = [Number(first), last === "" ? size - 1 : Number(last)]
  if (last !== "" && end < start) return "whole"
  return start >= size ? "unsatisfiable" : { start, end: Math.min(end, size - 1) }
}

/** Whether `If-None-Match` contains this version, so that the client has it already. */
export const hasVersion = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)

/** Whether `If-Range` names this version, so that the range may be sent. A date never matches, because only tags identify versions here. */
export const isOfVersion = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag
