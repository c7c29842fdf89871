/** The roles of people, and what they mean. */
import type { User } from "@parley/client"
import { message } from "../../../lib/i18n.ts"

export type Role = User["role"]

export const roleNames: Readonly<Record<Role, string>> = {
  OWNER: message("Owner"),
  ADMIN: message("Admin"),
  AGENT: message("Agent")
}

export const roleWords: Readonly<Record<Role, string>> = {
  OWNER: message("Everything, also other owners and assistants over MCP."),
  ADMIN: message("Everything but owners and assistants."),
  AGENT: message("Answers conversations and calls, and keeps contacts. Sees no settings.")
}

const order: ReadonlyArray<Role> = ["AGENT", "ADMIN", "OWNER"]

/** The roles that somebody with this role may give. */
export const grantable = (own: Role): ReadonlyArray<Role> => (own === "OWNER" ? order : ["AGENT", "ADMIN"])

export const isLower = (role: Role, than: Role): boolean => order.indexOf(role) < order.indexOf(than)
