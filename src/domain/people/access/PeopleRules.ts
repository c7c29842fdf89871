/** Who may change whom. An OWNER may do everything; an ADMIN everything that is not about OWNERs; everybody their own name and password. */
import type { Principal, Role } from "./Access.ts"

/** An API key acts as an ADMIN: it has no person behind it who could answer for making an OWNER. */
export const rankOf = (caller: Principal): Role =>
  "keyId" in caller ? (caller.scopes.includes("admin") ? "ADMIN" : "AGENT") : caller.role

export const isSelf = (caller: Principal, userId: string): boolean => "userId" in caller && caller.userId === userId

const administers = (caller: Principal): boolean => rankOf(caller) !== "AGENT"

const onlyAdministrators = "Only an OWNER or ADMIN may do this."
const onlyOwners = "Only an OWNER may make, change or deactivate an OWNER."

/** Why the caller may not give this role to a new person, as a sentence; `undefined` when they may. */
export const createRefusal = (caller: Principal, role: Role): string | undefined => {
  if (!administers(caller)) return onlyAdministrators
  return role === "OWNER" && rankOf(caller) !== "OWNER" ? onlyOwners : undefined
}

export const seeRefusal = (caller: Principal, userId: string): string | undefined =>
  isSelf(caller, userId) || administers(caller) ? undefined : onlyAdministrators

/** `role`: the person's now; `changes`: what they shall be. */
export const changeRefusal = (
  caller: Principal,
  person: { readonly id: string; readonly role: Role },
  changes: { readonly role?: Role; readonly active?: boolean }
): string | undefined => {
  const onlyName = changes.role === undefined && changes.active === undefined
  if (isSelf(caller, person.id) && onlyName) return undefined
  return passwordRefusal(caller, person) ?? createRefusal(caller, changes.role ?? "AGENT")
}

/** Why the caller may not set somebody else's password or name. */
export const passwordRefusal = (caller: Principal, person: { readonly role: Role }): string | undefined =>
  createRefusal(caller, person.role)
