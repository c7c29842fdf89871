/**
 * Sessions of MCP clients over HTTP (2025-11-25 and older). A session belongs to its API key and ends when it was not used for `idleSeconds`. It is one
 * small record, so any process that shares the store answers its requests.
 */
import { Clock, Context, Effect, Layer } from "effect"

export interface McpSession {
  readonly id: string
  readonly keyId: string
  readonly client: { readonly name: string; readonly version: string }
}

export const idleSeconds = 30 * 60
/** The most sessions of one key. */
export const mostSessions = 1_000

export class McpSessions extends Context.Service<
  McpSessions,
  {
    /** False when the key has `mostSessions` already. */
    readonly open: (session: McpSession) => Effect.Effect<boolean>
    /** The session, when it is one of this key's. `use`: it is used now, so its idle time begins anew. */
    readonly find: (id: string, keyId: string, use: boolean) => Effect.Effect<McpSession | undefined>
    readonly close: (session: McpSession) => Effect.Effect<void>
  }
>()("parley/domain/McpSessions") {
  /** In this process. Expired sessions are removed when their key opens or uses one. */
  static readonly layerAlone: Layer.Layer<McpSessions> = Layer.sync(McpSessions, () => {
    interface Kept {
      readonly session: McpSession
      until: number
    }
    const byKey = new Map<string, Map<string, Kept>>()

    const ofKey = (keyId: string, now: number) => {
      const kept = byKey.get(keyId)
      // The session that was used longest ago is the first.
      for (const [id, { until }] of kept ?? []) {
        if (until > now) break
        kept?.delete(id)
      }
      if (kept?.size === 0) byKey.delete(keyId)
      return byKey.get(keyId)
    }

    return {
      open: Effect.fnUntraced(function* (session) {
        const now = yield* Clock.currentTimeMillis
        const kept = ofKey(session.keyId, now) ?? new Map<string, Kept>()
        if (kept.size >= mostSessions) return false
        byKey.set(session.keyId, kept.set(session.id, { session, until: now + idleSeconds * 1_000 }))
        return true
      }),
      find: Effect.fnUntraced(function* (id, keyId, use) {
        const now = yield* Clock.currentTimeMillis
        const kept = ofKey(keyId, now)
        const found = kept?.get(id)
        if (found === undefined || kept === undefined || found.until <= now) return undefined
        if (use) {
          kept.delete(id)
          kept.set(id, { ...found, until: now + idleSeconds * 1_000 })
        }
        return found.session
      }),
      close: ({ id, keyId }) => Effect.sync(() => void byKey.get(keyId)?.delete(id))
    }
  })
}
