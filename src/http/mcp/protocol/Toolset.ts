/** The groups of tools. A client may ask for some of them only, because models choose better among few tools. */

export const toolsetNames = [
  "contacts",
  "conversations",
  "messaging",
  "analytics",
  "agents",
  "calls",
  "business",
  "payments"
] as const
export type Toolset = (typeof toolsetNames)[number]

const isToolset = (name: string): name is Toolset => toolsetNames.some((known) => known === name)

/** What a client asks for, within what its key allows. */
export interface Narrowing {
  /** Undefined: all of them. */
  readonly toolsets: ReadonlySet<Toolset> | undefined
  /** Only tools that change nothing. */
  readonly readonly: boolean
}

export const everything: Narrowing = { toolsets: undefined, readonly: false }

const yes = new Set(["1", "true", "yes"])
const no = new Set(["", "0", "false", "no"])

/** Reads `toolsets` (names, separated by commas) and `readonly` (`1` or `0`), or says what is wrong with them. */
export const narrowingOf = (
  toolsets: string | undefined,
  readonly: string | undefined
): Narrowing | { readonly problem: string } => {
  const names = (toolsets ?? "").split(",").map((name) => name.trim().toLowerCase())
  const given = names.filter((name) => name !== "" && name !== "all")
  const unknown = given.find((name) => !isToolset(name))
  if (unknown !== undefined)
    return { problem: `There is no toolset ${unknown.slice(0, 60)}. There are ${toolsetNames.join(", ")}.` }
  const flag = (readonly ?? "").trim().toLowerCase()
  if (!yes.has(flag) && !no.has(flag)) return { problem: "readonly is invalid: it must be 1 or 0." }
  return { toolsets: given.length === 0 ? undefined : new Set(given.filter(isToolset)), readonly: yes.has(flag) }
}
