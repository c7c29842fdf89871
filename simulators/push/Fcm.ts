/**
 * Google's token endpoint (service accounts) and Firebase Cloud Messaging, HTTP v1. It verifies the signatures of assertions, and checks messages as
 * FCM does: all `data` is text, at most 4,096 bytes, exactly one target.
 */
import { createVerify, generateKeyPairSync } from "node:crypto"
import { type HttpFaults, httpFaults, listen, readBody, sendJson, spoiled } from "../support/Loopback.ts"

export interface FcmFaults extends HttpFaults {
  /** The `Retry-After` of planned failures, in seconds. */
  retryAfter: number | undefined
  /** How many of the next requests for an access token fail. */
  failTokens: number
}

/** An accepted message. */
export interface Taken {
  readonly token: string
  readonly notification: { readonly title: string; readonly body: string }
  readonly data: Readonly<Record<string, string>>
  readonly collapseKey: string | undefined
  readonly at: number
}

export interface FcmSimulator {
  readonly url: string
  readonly tokenUrl: string
  /** The key of the one service account, in the form of Google's console. */
  readonly serviceAccount: string
  readonly faults: FcmFaults
  readonly taken: Array<Taken>
  /** Tokens of apps that were removed. */
  readonly unregistered: Set<string>
  /** Device tokens that FCM calls invalid. */
  readonly invalid: Set<string>
  readonly stats: { tokens: number; requests: number }
  /** Makes the service refuse all access tokens issued so far. */
  readonly revokeTokens: () => void
  readonly close: () => Promise<void>
}

const projectId = "parley-simulated"
const clientEmail = `push@${projectId}.iam.gserviceaccount.com`
const type = "type.googleapis.com/google.firebase.fcm.v1.FcmError"

const failure = (code: number, status: string, message: string, details: ReadonlyArray<object> = []) => ({
  error: { code, message, status, ...(details.length === 0 ? {} : { details }) }
})

const statusNames: Readonly<Record<number, readonly [status: string, errorCode: string]>> = {
  400: ["INVALID_ARGUMENT", "INVALID_ARGUMENT"],
  403: ["PERMISSION_DENIED", "SENDER_ID_MISMATCH"],
  404: ["NOT_FOUND", "UNREGISTERED"],
  429: ["RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"],
  500: ["INTERNAL", "INTERNAL"],
  503: ["UNAVAILABLE", "UNAVAILABLE"]
}

const plannedFailure = (status: number) => {
  const [name, errorCode] = statusNames[status] ?? ["UNKNOWN", "UNSPECIFIED_ERROR"]
  return failure(status, name, `planned failure ${status}`, [{ "@type": type, errorCode }])
}

const badField = (field: string, description: string) =>
  failure(400, "INVALID_ARGUMENT", description, [
    { "@type": type, errorCode: "INVALID_ARGUMENT" },
    { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: [{ field, description }] }
  ])

/** The error that FCM answers to a message; `undefined` for a valid one. */
// biome-ignore lint/suspicious/noExplicitAny: a body is anything until it has been judged
export const problemOf = (body: any): object | undefined => {
  const { message } = body ?? {}
  if (typeof message !== "object" || message === null) return badField("message", "Message is required.")
  const targets = ["token", "topic", "condition"].filter((target) => message[target] !== undefined)
  if (targets.length !== 1) return badField("message", "Exactly one of token, topic or condition is required.")
  for (const [name, value] of Object.entries(message.data ?? {})) {
    if (typeof value !== "string") return badField(`message.data[${name}]`, "Invalid value (TYPE_STRING)")
    if (/^(from|message_type|google\..*|gcm.*)$/.test(name)) return badField(`message.data[${name}]`, "Reserved key.")
  }
  if (message.android?.ttl !== undefined && !/^\d+(\.\d+)?s$/.test(message.android.ttl))
    return badField("message.android.ttl", "Illegal duration format; duration must end with 's'")
  if (Buffer.byteLength(message.apns?.headers?.["apns-collapse-id"] ?? "") > 64)
    return badField("message.apns.headers", "apns-collapse-id is longer than 64 bytes")
  const payload = { notification: message.notification, data: message.data }
  if (Buffer.byteLength(JSON.stringify(payload)) > 4_096) return badField("message", "Message too big: 4096 bytes.")
  return undefined
}

const decoded = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString())

export const start = async (port = 0): Promise<FcmSimulator> => {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" }
  })
  const faults: FcmFaults = { ...httpFaults(), retryAfter: undefined, failTokens: 0 }
  const taken: Array<Taken> = []
  const [unregistered, invalid, good] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const stats = { tokens: 0, requests: 0 }

  /** Why the assertion is refused. */
  const assertionProblem = (form: URLSearchParams): string | undefined => {
    if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") return "unsupported_grant_type"
    const [header, claims, signature] = (form.get("assertion") ?? "").split(".")
    const verify = createVerify("RSA-SHA256").update(`${header}.${claims}`)
    if (signature === undefined || !verify.verify(publicKey, signature, "base64url")) return "invalid_grant"
    const { iss, aud, scope, iat, exp } = decoded(claims)
    const now = Date.now() / 1_000
    const fits =
      decoded(header).alg === "RS256" &&
      iss === clientEmail &&
      aud === "https://oauth2.googleapis.com/token" &&
      scope === "https://www.googleapis.com/auth/firebase.messaging" &&
      exp > now &&
      exp - iat <= 3_600 &&
      iat < now + 60
    return fits ? undefined : "invalid_grant"
  }

  const server = await listen(async (request, response) => {
    const body = await readBody(request)
    if (request.method === "POST" && request.url === "/token") {
      stats.tokens++
      if (faults.failTokens > 0) {
        faults.failTokens--
        return sendJson(response, 500, { error: "internal_failure", error_description: "planned failure" })
      }
      const error = assertionProblem(new URLSearchParams(body))
      if (error !== undefined) return sendJson(response, 400, { error, error_description: "Invalid JWT Signature." })
      const token = `ya29.simulated-${stats.tokens}`
      good.add(token)
      return sendJson(response, 200, { access_token: token, expires_in: 3_599, token_type: "Bearer" })
    }
    if (request.method !== "POST" || request.url !== `/v1/projects/${projectId}/messages:send`)
      return sendJson(response, 404, failure(404, "NOT_FOUND", "The requested URL was not found on this server."))
    stats.requests++
    if (faults.failNext > 0 && faults.retryAfter !== undefined)
      response.setHeader("retry-after", String(faults.retryAfter))
    if (await spoiled(faults, response, plannedFailure)) return
    if (!good.has((request.headers.authorization ?? "").replace(/^Bearer /, "")))
      return sendJson(response, 401, failure(401, "UNAUTHENTICATED", "Request had invalid authentication credentials."))
    const { message, ...rest } = JSON.parse(body)
    const problem = problemOf({ message, ...rest })
    if (problem !== undefined) return sendJson(response, 400, problem)
    if (invalid.has(message.token))
      return sendJson(
        response,
        400,
        badField("message.token", "The registration token is not a valid FCM registration token")
      )
    if (unregistered.has(message.token))
      return sendJson(
        response,
        404,
        failure(404, "NOT_FOUND", "Requested entity was not found.", [{ "@type": type, errorCode: "UNREGISTERED" }])
      )
    const { token, notification, data = {} } = message
    taken.push({ token, notification, data, collapseKey: message.android?.collapse_key, at: Date.now() })
    sendJson(response, 200, { name: `projects/${projectId}/messages/0:${Date.now()}%${taken.length.toString(16)}` })
  }, port)

  return {
    url: server.url,
    tokenUrl: `${server.url}/token`,
    serviceAccount: JSON.stringify({
      type: "service_account",
      project_id: projectId,
      private_key_id: "0123456789abcdef",
      private_key: privateKey,
      client_email: clientEmail,
      token_uri: `${server.url}/token`
    }),
    faults,
    taken,
    unregistered,
    invalid,
    stats,
    revokeTokens: () => good.clear(),
    close: server.close
  }
}
