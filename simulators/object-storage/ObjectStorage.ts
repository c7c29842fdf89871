/**
 * An S3-compatible storage with one bucket (path style): put, multipart upload, ranged get, head, delete. Requests must carry a Signature
 * Version 4 of the known access key, and a body must have the SHA-256 that was signed; the signature itself is not computed.
 */
import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { type HttpFaults, httpFaults, listen, readBytes, spoiled } from "../support/Loopback.ts"

export interface ObjectStorageOptions {
  readonly bucket: string
  readonly accessKeyId: string
  readonly port?: number
}

export interface StoredObject {
  readonly bytes: Buffer
  readonly contentType: string
  readonly etag: string
}

export interface ObjectStorageSimulator {
  readonly url: string
  readonly faults: HttpFaults
  /** By key. */
  readonly objects: Map<string, StoredObject>
  /** Multipart uploads that were neither completed nor aborted: upload id → parts. */
  readonly uploads: Map<string, Map<number, StoredObject>>
  /** Every request that was signed by the right key, as `METHOD /path?query`. */
  readonly requests: Array<string>
  readonly close: () => Promise<void>
}

interface Request {
  readonly method: string
  readonly key: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

const smallestPart = 5 * 1024 * 1024

const xml = (root: string, fields: Readonly<Record<string, string>>): string => {
  const inner = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>${inner.join("")}</${root}>`
}

const fail = (response: ServerResponse, status: number, code: string, message: string): void => {
  response.writeHead(status, { "content-type": "application/xml" })
  response.end(xml("Error", { Code: code, Message: message, RequestId: "SIMULATED" }))
}

const done = (response: ServerResponse, root: string, fields: Readonly<Record<string, string>>): void => {
  response.writeHead(200, { "content-type": "application/xml" }).end(xml(root, fields))
}

const made = (bytes: Buffer, contentType: string): StoredObject => ({
  bytes,
  contentType,
  etag: `"${createHash("md5").update(bytes).digest("hex")}"`
})

/** Why a request is refused; undefined when it is accepted. */
const refusal = ({ headers, body }: Request, accessKeyId: string): [number, string, string] | undefined => {
  const signature =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/[^/]+\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=[0-9a-f]{64}$/
  const match = signature.exec(headers.authorization ?? "")
  if (match === null) return [403, "AccessDenied", "The request is not signed."]
  if (match[1] !== accessKeyId) return [403, "InvalidAccessKeyId", "The access key does not exist."]
  if (!match[2].split(";").includes("host")) return [403, "SignatureDoesNotMatch", "The host is not signed."]
  const hash = headers["x-amz-content-sha256"]
  if (hash !== "UNSIGNED-PAYLOAD" && hash !== createHash("sha256").update(body).digest("hex"))
    return [400, "XAmzContentSHA256Mismatch", "The body is not the one that was signed."]
  return undefined
}

const sendObject = (response: ServerResponse, object: StoredObject, method: string, range: string | undefined) => {
  const size = object.bytes.length
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? "") ?? []
  const start = first === undefined ? 0 : Number(first)
  const end = last === undefined || last === "" ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== undefined && start >= size)
    return fail(response, 416, "InvalidRange", "The requested range is not satisfiable")
  const part = object.bytes.subarray(start, end + 1)
  response.writeHead(first === undefined ? 200 : 206, {
    "content-type": object.contentType,
    "content-length": part.length,
    "accept-ranges": "bytes",
    etag: object.etag,
    ...(first === undefined ? {} : { "content-range": `bytes ${start}-${end}/${size}` })
  })
  response.end(method === "HEAD" ? undefined : part)
}

export const start = async (options: ObjectStorageOptions): Promise<ObjectStorageSimulator> => {
  const faults = httpFaults()
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, Map<number, StoredObject>>()
  const contentTypes = new Map<string, string>()
  const requests: Array<string> = []

  const complete = (request: Request, uploadId: string, parts: Map<number, StoredObject>, response: ServerResponse) => {
    const named = [...request.body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) =>
      Number(number)
    )
    const pieces = named.map((number) => parts.get(number))
    if (pieces.length === 0 || pieces.some((piece) => piece === undefined))
      return fail(response, 400, "InvalidPart", "One or more of the specified parts could not be found.")
    const bytes = pieces.flatMap((piece) => (piece === undefined ? [] : [piece.bytes]))
    if (bytes.slice(0, -1).some((piece) => piece.length < smallestPart))
      return fail(response, 400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed size")
    const object = made(Buffer.concat(bytes), contentTypes.get(uploadId) ?? "binary/octet-stream")
    objects.set(request.key, object)
    uploads.delete(uploadId)
    done(response, "CompleteMultipartUploadResult", { Bucket: options.bucket, Key: request.key, ETag: object.etag })
  }

  const multipart = (request: Request, uploadId: string, response: ServerResponse) => {
    const parts = uploads.get(uploadId)
    if (parts === undefined) return fail(response, 404, "NoSuchUpload", "The specified upload does not exist.")
    if (request.method === "POST") return complete(request, uploadId, parts, response)
    if (request.method === "DELETE") {
      uploads.delete(uploadId)
      return response.writeHead(204).end()
    }
    const part = made(request.body, "")
    parts.set(Number(request.query.get("partNumber")), part)
    return response.writeHead(200, { etag: part.etag }).end()
  }

  const answer = (request: Request, response: ServerResponse) => {
    const { method, key, query, headers, body } = request
    const uploadId = query.get("uploadId")
    if (uploadId !== null) return multipart(request, uploadId, response)
    if (method === "POST" && query.has("uploads")) {
      const id = `upload-${requests.length}`
      uploads.set(id, new Map())
      contentTypes.set(id, headers["content-type"] ?? "binary/octet-stream")
      return done(response, "InitiateMultipartUploadResult", { Bucket: options.bucket, Key: key, UploadId: id })
    }
    if (method === "PUT") {
      const object = made(body, headers["content-type"] ?? "binary/octet-stream")
      objects.set(key, object)
      return response.writeHead(200, { etag: object.etag }).end()
    }
    if (method === "DELETE") {
      objects.delete(key)
      return response.writeHead(204).end()
    }
    const object = objects.get(key)
    if (object === undefined) return fail(response, 404, "NoSuchKey", "The specified key does not exist.")
    return sendObject(response, object, method, headers.range)
  }

  const server = await listen(async (message, response) => {
    const body = await readBytes(message)
    const url = new URL(message.url ?? "/", "http://storage")
    const [, bucket, ...names] = url.pathname.split("/").map(decodeURIComponent)
    const { method = "GET", headers } = message
    const request = { method, key: names.join("/"), query: url.searchParams, headers, body }
    const refused = refusal(request, options.accessKeyId)
    if (refused !== undefined) return fail(response, ...refused)
    requests.push(`${method} ${message.url}`)
    if (
      await spoiled(faults, response, (status) => xml("Error", { Code: "InternalError", Message: `planned ${status}` }))
    )
      return
    if (bucket !== options.bucket) return fail(response, 404, "NoSuchBucket", "The specified bucket does not exist")
    answer(request, response)
  }, options.port)
  return { url: server.url, faults, objects, uploads, requests, close: server.close }
}
