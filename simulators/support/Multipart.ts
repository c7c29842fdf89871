/** Reads a multipart form: enough for an upload of one file with a few fields. */

export interface FormPart {
  readonly name: string
  readonly filename?: string
  readonly contentType: string
  readonly bytes: Buffer
}

/** The parts of the form; `undefined` when the body is no multipart form. */
export const readMultipart = (contentType: string, body: Buffer): ReadonlyArray<FormPart> | undefined => {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1]
  if (!/^multipart\/form-data\b/i.test(contentType) || boundary === undefined) return undefined
  const mark = Buffer.from(`--${boundary}`)
  const parts: Array<FormPart> = []
  for (let from = body.indexOf(mark); from >= 0; ) {
    const to = body.indexOf(mark, from + mark.length)
    if (to < 0) break
    const part = body.subarray(from + mark.length + 2, to - 2)
    const split = part.indexOf("\r\n\r\n")
    const head = part.subarray(0, split).toString("utf8")
    const filename = /filename="([^"]*)"/i.exec(head)?.[1]
    parts.push({
      name: /[; ]name="([^"]*)"/i.exec(head)?.[1] ?? "",
      contentType: /content-type:\s*([^\r\n]+)/i.exec(head)?.[1] ?? "text/plain",
      bytes: Buffer.from(part.subarray(split + 4)),
      ...(filename === undefined ? {} : { filename })
    })
    from = to
  }
  return parts
}
