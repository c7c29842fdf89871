/** What a key may do, in plain words. */
import type { Scope } from "../../../lib/can.ts"
import { message } from "../../../lib/i18n.ts"

/** In the order of the form. The type demands that none is missing. */
export const scopeWords: Readonly<Record<Scope, string>> = {
  "status:read": message("See whether the service works, and the organization's settings"),
  "contacts:read": message("Read contacts"),
  "contacts:write": message("Create and change contacts"),
  "conversations:read": message("Read conversations"),
  "conversations:write": message("Assign, label and resolve conversations"),
  "messages:read": message("Read messages, templates and broadcasts"),
  "messages:send": message("Send messages and broadcasts"),
  "media:read": message("Read files of messages"),
  "media:write": message("Upload files"),
  "voice:read": message("Read calls, recordings and voice agents"),
  "voice:write": message("Place calls, change voice agents and numbers"),
  "calls:control": message("Listen to calls that are under way, speak in them, hand them over and end them"),
  "agents:read": message("Read AI agents"),
  "agents:write": message("Change AI agents"),
  "knowledge:read": message("Read knowledge"),
  "knowledge:write": message("Change knowledge"),
  "integrations:read": message("Read integrations and payments"),
  "integrations:write": message("Change integrations"),
  "payments:write": message("Create payment links"),
  "modules:read": message("Read companies, products and orders"),
  "modules:write": message("Change companies, products and orders"),
  mcp: message("Connect assistants over MCP"),
  admin: message("Manage people, keys, webhooks and settings")
}

export const allScopes = Object.keys(scopeWords) as ReadonlyArray<Scope>

/** Those that change nothing. */
export const readingScopes = allScopes.filter((scope) => scope.endsWith(":read"))
