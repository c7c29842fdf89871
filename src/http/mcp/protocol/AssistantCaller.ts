/** On whose behalf an assistant works: its key, what it asked for, and the program that it is. */
import type { KeyPrincipal } from "../../../domain/people/access/Access.ts"
import type { Organization } from "../../../domain/people/organizations/Organization.ts"
import type { Narrowing } from "./Toolset.ts"

/** The program, as it names itself. Nobody has checked it. */
export interface AssistantClient {
  readonly name: string
  readonly version: string
}

export const unnamedClient: AssistantClient = { name: "unknown", version: "unknown" }

const longest = 100

/** A client's name for itself, cut to what the audit log keeps. */
export const clientOf = (
  client: { readonly name?: unknown; readonly version?: unknown } | undefined
): AssistantClient => {
  const text = (value: unknown, absent: string) =>
    typeof value === "string" && value.trim() !== "" ? value.trim().slice(0, longest) : absent
  return { name: text(client?.name, unnamedClient.name), version: text(client?.version, unnamedClient.version) }
}

export type AssistantTransport = "http" | "sse" | "stdio"

export interface AssistantCaller {
  readonly principal: KeyPrincipal
  readonly organization: Organization
  readonly narrowing: Narrowing
  readonly client: AssistantClient
  readonly transport: AssistantTransport
  readonly origin: { readonly ip: string | null; readonly requestId: string | null }
}
