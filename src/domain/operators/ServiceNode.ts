/** A node is a process of the service, as it tells the others of itself every few seconds. */
import { Schema } from "effect"
import { exampleIds } from "../basics/Examples.ts"

/** How often a node tells of itself, and after which silence it is thought to be lost. Milliseconds. */
export const nodeTellsEveryMs = 5_000
export const nodeLostAfterMs = 20_000

/** A provider that the node uses. Times are ISO 8601; `since`: it has failed since then; `until`: it worked again from then on. */
const SeenProvider = Schema.Struct({
  /** Service and provider: `text-to-speech/deepgram`. */
  provider: Schema.String,
  since: Schema.NullOr(Schema.String),
  failedAt: Schema.NullOr(Schema.String),
  until: Schema.NullOr(Schema.String)
})

/** What a node tells of itself. */
export const ToldNode = Schema.Struct({
  id: Schema.String,
  role: Schema.Literals(["all", "app", "engine"]),
  /** The name of its machine. */
  host: Schema.String,
  pid: Schema.Int,
  startedAt: Schema.String,
  /** `open`: takes calls; `late`: takes none while its audio is late; `draining`: an operator took it out; `stopping`: it is being stopped. */
  state: Schema.Literals(["open", "late", "draining", "stopping"]),
  /** Null: the node has no engine, and so no lines. */
  lines: Schema.NullOr(Schema.Struct({ capacity: Schema.Int, taken: Schema.Int, lateMs: Schema.Number })),
  providers: Schema.Array(SeenProvider)
})
export type ToldNode = typeof ToldNode.Type

const { providers: _, ...shown } = ToldNode.fields

export const ServiceNode = Schema.Struct({
  ...shown,
  /** When it was heard of last. */
  seenAt: Schema.String,
  /** It has not been heard of for a while: it was cut off or has died. */
  lost: Schema.Boolean
}).annotate({
  title: "ServiceNode",
  examples: [
    {
      id: exampleIds.node,
      role: "all",
      host: "parley-1",
      pid: 4_120,
      startedAt: "2026-11-22T06:00:00.000Z",
      state: "open",
      lines: { capacity: 200, taken: 37, lateMs: 0.4 },
      seenAt: "2026-11-22T10:00:00.000Z",
      lost: false
    }
  ]
})
export type ServiceNode = typeof ServiceNode.Type
