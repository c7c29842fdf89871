/** Use case: a person allows a client to work in their organization. Only an OWNER can, and only on a plan that has the MCP server. */
import { Effect } from "effect"
import { traced } from "../../basics/Traced.ts"
import type { Scope, UserPrincipal } from "../access/Access.ts"
import { Audit } from "../access/Audit.ts"
import { Organizations, planRefusal } from "../organizations/Organization.ts"
import type { AuthorizationRequest } from "./AuthorizationRequest.ts"
import { OAuthClients } from "./OAuthClient.ts"
import { OAuthGrants } from "./OAuthGrant.ts"
import { OAuthRefused } from "./OAuthRefused.ts"
import { placeOf } from "./RedirectUri.ts"

const denied = (description: string) => new OAuthRefused({ code: "access_denied", description })

/** Needs Organizations, OAuthClients, OAuthGrants and Audit once. */
export const makeAllowClient = Effect.gen(function* () {
  const organizations = yield* Organizations
  const clients = yield* OAuthClients
  const grants = yield* OAuthGrants
  const audit = yield* Audit

  /** The organization's name, and why this person may not allow anything to anybody, as a sentence; undefined when they may. */
  const standing = traced("AllowClient.standing")(function* ({ organizationId, role, scopes }: UserPrincipal) {
    const organization = yield* organizations.find(organizationId)
    const name = organization?.name ?? ""
    if (!scopes.includes("mcp"))
      return { name, refusal: `Only an OWNER can connect an assistant; your role is ${role}.` }
    return {
      name,
      refusal: organization === undefined ? "Your organization is gone." : planRefusal("mcp", organization)
    }
  })

  /** Allows `chosen` of the requested scopes. Gives the code for the client. */
  const allow = traced("AllowClient.allow")(function* (
    person: UserPrincipal,
    { client, scopes, redirectUri, challenge }: AuthorizationRequest,
    chosen: ReadonlyArray<string>
  ) {
    const { refusal } = yield* standing(person)
    if (refusal !== undefined) return yield* denied(refusal)
    const { organizationId, userId } = person
    const allowed: ReadonlyArray<Scope> = scopes.filter((scope) => scope === "mcp" || chosen.includes(scope))
    const grant = {
      organizationId,
      userId,
      clientId: client.id,
      clientName: client.name,
      scopes: allowed,
      redirectUri,
      challenge
    }
    const code = yield* audit.recorded(organizationId, grants.allow(grant), () => ({
      action: "oauth.authorized",
      subjectId: userId,
      after: { clientId: client.id, clientName: client.name, scopes: allowed, redirect: placeOf(redirectUri) }
    }))
    yield* clients.used(client.id)
    return code
  })

  return { standing, allow }
})
