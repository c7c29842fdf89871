/**
 * The events of MCP answers, kept for a while, so that a client whose connection broke gets what it missed (`Last-Event-ID`), from any process that
 * shares the store.
 */
import { Clock, Context, Effect, Layer } from "effect"

/** How long the events of an answer are kept after the last one. */
export const keptSeconds = 5 * 60

export interface McpReply {
  /** The events, by their position from 1; an empty text is an event without a message. */
  readonly events: ReadonlyArray<string>
}

export class McpReplies extends Context.Service<
  McpReplies,
  {
    /** Adds an event to an answer and gives its position. `session` is that which the answer belongs to. */
    readonly keep: (session: string, answer: string, event: string) => Effect.Effect<number>
    /** Undefined: nothing is kept of such an answer. */
    readonly find: (session: string, answer: string) => Effect.Effect<McpReply | undefined>
  }
>()("parley/domain/McpReplies") {
  /** In this process, and at most `mostBytes` of it: the oldest answers are forgotten first. */
  static readonly layerAlone = (mostBytes: number = 16 * 1_024 * 1_024): Layer.Layer<McpReplies> =>
    Layer.sync(McpReplies, () => {
      interface Kept {
        readonly events: ReadonlyArray<string>
        readonly bytes: number
        readonly until: number
      }
      const kept = new Map<string, Kept>()
      let bytes = 0
      const forget = (name: string) => {
        bytes -= kept.get(name)?.bytes ?? 0
        kept.delete(name)
      }
      const makeRoom = (now: number) => {
        for (const [name, { until }] of kept) {
          if (until > now && bytes <= mostBytes) return
          forget(name)
        }
      }
      return {
        keep: Effect.fnUntraced(function* (session, answer, event) {
          const now = yield* Clock.currentTimeMillis
          const name = `${session}/${answer}`
          const before = kept.get(name)
          const events = [...(before?.events ?? []), event]
          const size = (before?.bytes ?? 100) + event.length
          forget(name)
          kept.set(name, { events, bytes: size, until: now + keptSeconds * 1_000 })
          bytes += size
          makeRoom(now)
          return events.length
        }),
        find: Effect.fnUntraced(function* (session, answer) {
          makeRoom(yield* Clock.currentTimeMillis)
          const found = kept.get(`${session}/${answer}`)
          return found === undefined ? undefined : { events: found.events }
        })
      }
    })
}
