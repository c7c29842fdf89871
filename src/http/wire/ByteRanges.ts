/** What a request says about parts and versions of a file (RFC 9110, sections 13 and 14). */
import type { ByteRange } from "../../domain/basics/ObjectStorage.ts"

/** A position or length; longer numbers are beyond any file. */
const single = /^bytes=(\d{0,15})-(\d{0,15})$/i

/**
 * What `Range` asks of `size` bytes. Several ranges at once, other units and nonsense are answered with the whole, as the standard allows;
 * what begins beyond the end cannot be satisfied.
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

/** `If-None-Match`: whether the client has this version already. */
export const hasVersion = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? "").split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)

/** `If-Range`: whether the range is of this version. A date never is: our versions are told by their tag. */
export const isOfVersion = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag
