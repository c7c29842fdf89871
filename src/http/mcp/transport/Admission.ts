/** Who may talk to the MCP server: an API key with the scope `mcp`, on a plan that has it, from a page that may use the service. */
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { KeyPrincipal } from "../../../domain/people/access/Access.ts"
import { ApiKeys } from "../../../domain/people/access/ApiKey.ts"
import { Organizations, type PlanFeature, planRefusal } from "../../../domain/people/organizations/Organization.ts"
import { requestOrigin } from "../../middleware/Authorization.ts"
import { lacksScope } from "../../middleware/BearerChallenge.ts"
import { errorResponse } from "../../wire/Errors.ts"
import type { AssistantCaller, AssistantClient, AssistantTransport } from "../protocol/AssistantCaller.ts"
import { narrowingOf } from "../protocol/Toolset.ts"
import { refuseWith } from "./JsonRpc.ts"

export interface AdmissionOptions {
  readonly publicBaseUrl: string
  readonly corsOrigins: ReadonlyArray<string>
}

export interface Admitted {
  readonly secret: string
  readonly principal: KeyPrincipal
  readonly callerAs: (client: AssistantClient, transport: AssistantTransport) => AssistantCaller
}

const missing = "Send an API key with the scope mcp (Authorization: Bearer <key>)."
const unknown = "This API key is not valid: it is malformed, unknown, revoked or expired."
const unscoped = "This API key lacks the scope mcp. An OWNER may make a key that has it."
const foreign = "Pages of this origin may not use the MCP server. CORS_ORIGINS names those that may."

const loopback = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Whether a page of this origin may talk to us. Programs send no origin. A service on this machine is used by pages of this machine. */
const mayCome = ({ publicBaseUrl, corsOrigins }: AdmissionOptions) => {
  const own = new URL(publicBaseUrl).origin
  const known = new Set([own, ...corsOrigins])
  return (origin: string | undefined) =>
    origin === undefined || known.has(origin) || (loopback.test(own) && loopback.test(origin))
}

const bearerOf = (header: string | undefined): string => /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? ""

/** Makes the function that admits the current request, or refuses it. Needs ApiKeys and Organizations. */
export const makeAdmission = Effect.fnUntraced(function* (options: AdmissionOptions) {
  const keys = yield* ApiKeys
  const organizations = yield* Organizations
  const isAllowed = mayCome(options)

  return Effect.fnUntraced(function* (feature: PlanFeature) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers, originalUrl } = request
    if (!isAllowed(headers.origin)) return yield* refuseWith(errorResponse(403, foreign))
    const secret = bearerOf(headers.authorization)
    if (secret === "") return yield* refuseWith(errorResponse(401, missing))
    const principal = yield* keys.authenticate(secret)
    if (principal === undefined) return yield* refuseWith(errorResponse(401, unknown))
    if (!principal.scopes.includes("mcp"))
      return yield* refuseWith(lacksScope(errorResponse(403, unscoped), options.publicBaseUrl, "mcp"))
    const organization = yield* organizations.find(principal.organizationId)
    if (organization === undefined) return yield* refuseWith(errorResponse(403, "This organization no longer exists."))
    const refusal = planRefusal(feature, organization)
    if (refusal !== undefined) return yield* refuseWith(errorResponse(403, refusal))
    const query = new URL(originalUrl, options.publicBaseUrl).searchParams
    const narrowing = narrowingOf(
      query.get("toolsets") ?? headers["x-mcp-toolsets"],
      query.get("readonly") ?? headers["x-mcp-readonly"]
    )
    if ("problem" in narrowing) return yield* refuseWith(errorResponse(400, narrowing.problem))
    const origin = yield* requestOrigin
    const admitted: Admitted = {
      secret,
      principal,
      callerAs: (client, transport) => ({ principal, organization, narrowing, client, transport, origin })
    }
    return admitted
  })
})
