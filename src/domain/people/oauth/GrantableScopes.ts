/** What an assistant can be allowed, and what a person reads about it. */
import { defaultScopes, Scope } from "../access/Access.ts"
import { OAuthRefused } from "./OAuthRefused.ts"

/** Every scope that an assistant can get: all but `admin`. */
export const grantableScopes: ReadonlyArray<Scope> = defaultScopes

/** What an assistant asks for when it does not say: what the tools of daily work need. */
export const usualScopes: ReadonlyArray<Scope> = [
  "mcp",
  "contacts:read",
  "contacts:write",
  "conversations:read",
  "messages:read",
  "messages:send",
  "voice:read",
  "voice:write",
  "agents:read",
  "modules:read",
  "payments:write"
]

/** What each scope lets an assistant do. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  mcp: "Use the tools of this MCP server",
  "status:read": "See the state of the organization's connections and its figures",
  "contacts:read": "Read contacts",
  "contacts:write": "Create and change contacts",
  "conversations:read": "Read conversations",
  "conversations:write": "Assign, label and resolve conversations",
  "messages:read": "Read messages, templates and quick replies",
  "messages:send": "Send messages and broadcasts to your customers",
  "media:read": "Read files of messages",
  "media:write": "Upload files",
  "voice:read": "Read voice agents and calls with their transcripts",
  "voice:write": "Place calls to your customers, and change voice agents",
  "calls:control": "Listen to calls that are under way, speak in them, end them and hand them over",
  "agents:read": "Read text agents",
  "agents:write": "Change text agents",
  "knowledge:read": "Read the knowledge of agents",
  "knowledge:write": "Change the knowledge of agents",
  "integrations:read": "See which integrations are connected",
  "integrations:write": "Change integrations",
  "payments:write": "Create payment links",
  "modules:read": "Read companies, products and orders",
  "modules:write": "Change companies, products and orders",
  admin: "Administer the organization"
}

const isScope = (text: string): text is Scope => Scope.literals.some((scope) => scope === text)

/** Accepted without effect: each client gets a refresh token, asked for or not. */
const withoutEffect = new Set(["offline_access"])

/** The scopes of a request, `mcp` first; those that are usual when it names none. Scopes that nobody can grant are refused. */
export const scopesOf = (text: string | undefined): ReadonlyArray<Scope> | OAuthRefused => {
  const names = (text ?? "").split(" ").filter((name) => name !== "" && !withoutEffect.has(name))
  if (names.length === 0) return usualScopes
  const wrong = names.filter((name) => !isScope(name) || !grantableScopes.includes(name))
  if (wrong.length > 0)
    return new OAuthRefused({
      code: "invalid_scope",
      description: `Only these scopes can be granted: ${grantableScopes.join(" ")}.`
    })
  return [...new Set<Scope>(["mcp", ...names.filter(isScope)])]
}
