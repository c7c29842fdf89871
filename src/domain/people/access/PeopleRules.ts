/**
 * Who may change whom. An OWNER may do everything. An ADMIN may do everything except for OWNERs. Everybody may change their own name and password.
 */
import type { Principal, Role } from "./Access.ts"

/**
 * The role with which a caller is checked. An API key with the scope `admin` counts as an ADMIN, not as an OWNER: no person is answerable for it. Any
 * other key counts as an AGENT.
 */
export const rankOf = (caller: Principal): Role =>
  "keyId" in caller ? (caller.scopes.includes("admin") ? "ADMIN" : "AGENT") : caller.role

export const isSelf = (caller: Principal, userId: string): boolean => "userId" in caller && caller.userId === userId

/** Whether the caller sees what calls cost. Of people, an AGENT does not. */
export const seesCost = (caller: Principal): boolean => "keyId" in caller || caller.role !== "AGENT"

const administers = (caller: Principal): boolean => rankOf(caller) !== "AGENT"

const onlyAdministrators = "Only an OWNER or ADMIN may do this."
const onlyOwners = "Only an OWNER may make, change or deactivate an OWNER."

/** The sentence that says why the caller may not give this role to a new person; `undefined` when they may. */
export const createRefusal = (caller: Principal, role: Role): string | undefined => {
  if (!administers(caller)) return onlyAdministrators
  return role === "OWNER" && rankOf(caller) !== "OWNER" ? onlyOwners : undefined
}

/** The sentence that says why the caller may not see this person; `undefined` when they may. */
export const seeRefusal = (caller: Principal, userId: string): string | undefined =>
  isSelf(caller, userId) || administers(caller) ? undefined : onlyAdministrators

/** The sentence that says why the caller may not make these changes; `undefined` when they may. `person.role` is the role before the changes. */
export const changeRefusal = (
  caller: Principal,
  person: { readonly id: string; readonly role: Role },
  changes: { readonly role?: Role; readonly active?: boolean }
): string | undefined => {
  const onlyName = changes.role === undefined && changes.active === undefined
  if (isSelf(caller, person.id) && onlyName) return undefined
  return passwordRefusal(caller, person) ?? createRefusal(caller, changes.role ?? "AGENT")
}

/** The sentence that says why the caller may not set another person's password or name; `undefined` when they may. */
export const passwordRefusal = (caller: Principal, person: { readonly role: Role }): string | undefined =>
  createRefusal(caller, person.role)
