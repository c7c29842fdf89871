/**
 * Brings the messages that an MCP client posts to the process that holds the client's event stream (HTTP+SSE of 2024-11-05). Several processes share an
 * address, so a post may reach any of them.
 */
import { Context, Effect, Layer, type Scope } from "effect"

/** A stream, and the API key that opened it. */
export interface McpStream {
  readonly id: string
  readonly keyId: string
}

export class McpPosts extends Context.Service<
  McpPosts,
  {
    /** Takes the messages of a stream until the scope closes. */
    readonly listen: (stream: McpStream, hear: (message: string) => void) => Effect.Effect<void, never, Scope.Scope>
    /** Hands a message over. False: no process has a stream with this id that this key opened. */
    readonly deliver: (stream: McpStream, message: string) => Effect.Effect<boolean>
  }
>()("parley/domain/McpPosts") {
  /** For a process alone. */
  static readonly layerAlone: Layer.Layer<McpPosts> = Layer.sync(McpPosts, () => localPosts())
}

/** The streams of this process. */
export const localPosts = (): McpPosts["Service"] => {
  const streams = new Map<string, { readonly keyId: string; readonly hear: (message: string) => void }>()
  return {
    listen: ({ id, keyId }, hear) =>
      Effect.acquireRelease(
        Effect.sync(() => void streams.set(id, { keyId, hear })),
        () => Effect.sync(() => void streams.delete(id))
      ),
    deliver: ({ id, keyId }, message) =>
      Effect.sync(() => {
        const found = streams.get(id)
        if (found === undefined || found.keyId !== keyId) return false
        found.hear(message)
        return true
      })
  }
}
