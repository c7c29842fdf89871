/**
 * Encrypts and decrypts the headers of tools. The database stores each header value encrypted, as `{ "sealed": "…" }`. An old row may hold plain
 * text, which is read as it is and encrypted when its agent is saved again.
 */
import { Effect } from "effect"
import type { ToolDefinition } from "../../domain/ai/tools/Tool.ts"
import { type KeyRing, type KeyRingError, reseal } from "./KeyRing.ts"

interface WithHeaders<Value> {
  readonly handler?: { readonly type: string; readonly headers?: Readonly<Record<string, Value>> }
}

export type StoredTool = WithHeaders<string | { readonly sealed: string }>

/** The tables of agents. A value that was encrypted for an agent of one table cannot be decrypted in the other. */
export type AgentTable = "voice_agents" | "text_agents"

const owner = (organizationId: string, table: AgentTable) => ({ organizationId, field: `${table}.tools.headers` })

const mapHeaders = <A, B, E>(
  tools: ReadonlyArray<WithHeaders<A>>,
  change: (value: A) => Effect.Effect<B, E>
): Effect.Effect<ReadonlyArray<WithHeaders<B>>, E> =>
  Effect.forEach(tools, ({ handler, ...tool }) => {
    if (handler === undefined) return Effect.succeed(tool)
    const { headers, ...rest } = handler
    if (headers === undefined) return Effect.succeed({ ...tool, handler: rest })
    return Effect.forEach(Object.entries(headers), ([name, value]) =>
      Effect.map(change(value), (changed) => [name, changed] as const)
    ).pipe(Effect.map((entries) => ({ ...tool, handler: { ...rest, headers: Object.fromEntries(entries) } })))
  })

/** The tools in the form that the row stores: with encrypted header values. */
export const sealTools = (
  ring: KeyRing["Service"],
  table: AgentTable,
  organizationId: string,
  tools: ReadonlyArray<ToolDefinition>
): Effect.Effect<ReadonlyArray<StoredTool>> =>
  mapHeaders(tools, (value: string) =>
    Effect.map(ring.encrypt(owner(organizationId, table), value), (sealed) => ({ sealed }))
  )

/** The tools of a row with decrypted header values, not yet checked. Fails when the key ring cannot decrypt a value. */
export const openTools = (
  ring: KeyRing["Service"],
  table: AgentTable,
  organizationId: string,
  tools: ReadonlyArray<StoredTool>
): Effect.Effect<ReadonlyArray<WithHeaders<string>>, KeyRingError> =>
  mapHeaders(tools, (value) =>
    typeof value === "string" ? Effect.succeed(value) : ring.decrypt(owner(organizationId, table), value.sealed)
  )

/** The tools of a row with every value encrypted with the newest key, and the number of values that were not before. */
export const resealTools = Effect.fnUntraced(function* (
  ring: KeyRing["Service"],
  table: AgentTable,
  organizationId: string,
  tools: ReadonlyArray<StoredTool>
) {
  let changed = 0
  const resealed = yield* mapHeaders(tools, (value: string | { readonly sealed: string }) =>
    Effect.gen(function* () {
      const plain = typeof value === "string"
      const sealed = yield* plain
        ? ring.encrypt(owner(organizationId, table), value)
        : reseal(ring, owner(organizationId, table), value.sealed)
      if (plain || sealed !== value.sealed) changed++
      return { sealed }
    })
  )
  return { tools: resealed, changed }
})
