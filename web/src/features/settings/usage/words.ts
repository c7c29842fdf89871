/** The plan of an organization in words. */
import type { Organization } from "@parley/client"
import { message } from "../../../lib/i18n.ts"

export const planNames: Readonly<Record<Organization["plan"], string>> = {
  FREE: message("Free"),
  STARTER: message("Starter"),
  PRO: message("Pro"),
  PREMIUM: message("Premium"),
  ENTERPRISE: message("Enterprise")
}

export const featureNames: Readonly<Record<Organization["features"][number]["id"], string>> = {
  webhooks: message("Webhooks"),
  automation: message("Automation tools"),
  mcpStdio: message("Assistants over MCP, on one's own machine"),
  mcp: message("Assistants over MCP, over the network"),
  integrations: message("Integrations"),
  modules: message("Companies, products and orders"),
  broadcasts: message("Broadcasts"),
  voiceAgents: message("Voice agents"),
  voicePremium: message("Premium voices")
}
