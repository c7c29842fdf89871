/** Access: people have roles, API keys have scopes. */
import { Schema } from "effect"

export const Role = Schema.Literals(["OWNER", "ADMIN", "AGENT"])
export type Role = typeof Role.Type

export const Scope = Schema.Literals([
  "status:read",
  "contacts:read",
  "contacts:write",
  "conversations:read",
  "conversations:write",
  "messages:read",
  "messages:send",
  "media:read",
  "media:write",
  "voice:read",
  "voice:write",
  "calls:control",
  "agents:read",
  "agents:write",
  "knowledge:read",
  "knowledge:write",
  "integrations:read",
  "integrations:write",
  "payments:write",
  "modules:read",
  "modules:write",
  "mcp",
  "admin"
])
export type Scope = typeof Scope.Type

/** The scopes of a key that is made without scopes: all but `admin`. */
export const defaultScopes: ReadonlyArray<Scope> = Scope.literals.filter((scope) => scope !== "admin")

/**
 * The scopes of each role. An AGENT answers conversations, asks for payments, keeps the modules, says something, hands over and ends in calls that are under way, and sees agents and knowledge. Only an OWNER may use the MCP server, so nobody else can make a key
 * for it.
 */
export const roleScopes: Readonly<Record<Role, ReadonlyArray<Scope>>> = {
  OWNER: Scope.literals,
  ADMIN: Scope.literals.filter((scope) => scope !== "mcp"),
  AGENT: [
    "status:read",
    "contacts:read",
    "contacts:write",
    "conversations:read",
    "conversations:write",
    "messages:read",
    "messages:send",
    "media:read",
    "media:write",
    "voice:read",
    "calls:control",
    "agents:read",
    "knowledge:read",
    "payments:write",
    "modules:read",
    "modules:write"
  ]
}

export interface KeyPrincipal {
  readonly organizationId: string
  readonly keyId: string
  readonly scopes: ReadonlyArray<Scope>
  /** When the key expires, Unix milliseconds; absent when it does not expire. */
  readonly validUntil?: number
  /** The OAuth client whose access token it is. Such a token was issued for the MCP server, and is good for nothing else. */
  readonly clientId?: string
}

export interface UserPrincipal {
  readonly organizationId: string
  readonly userId: string
  readonly sessionId: string
  readonly role: Role
  readonly scopes: ReadonlyArray<Scope>
}

/** The authenticated caller of a request: an API key, or a person with a session. */
export type Principal = KeyPrincipal | UserPrincipal

/** The id of the key or of the person. */
export const callerId = (caller: Principal): string => ("keyId" in caller ? caller.keyId : caller.userId)
