/** Which tools of the MCP server each scope opens, as the consent page names them. A test holds it equal to the table of tools, which is on a floor above. */
import type { Scope } from "../../domain/people/access/Access.ts"

const tools: Readonly<Partial<Record<Scope, ReadonlyArray<string>>>> = {
  "contacts:read": ["list_contacts", "get_contact"],
  "contacts:write": ["create_contact"],
  "conversations:read": ["list_conversations", "get_conversation"],
  "messages:read": ["list_templates", "list_quick_replies", "get_analytics"],
  "messages:send": ["send_message", "send_broadcast"],
  "voice:read": ["list_voice_agents", "list_calls", "get_call"],
  "voice:write": ["place_call"],
  "agents:read": ["list_ai_agents"],
  "modules:read": ["list_orders", "get_order", "list_products", "list_companies"],
  "payments:write": ["create_payment_link"]
}

export const toolsOfScope = (scope: Scope): ReadonlyArray<string> => tools[scope] ?? []
