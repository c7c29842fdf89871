/** How the providers do, as all nodes see them together. */
import { Array as Arr, Clock, Effect, Schema } from "effect"
import { ProviderService, providerNamed } from "../events/Outage.ts"
import { NodeBoard } from "./NodeBoard.ts"
import type { ToldNode } from "./ServiceNode.ts"

export const OperatedProvider = Schema.Struct({
  /** What it does for the service. */
  service: ProviderService,
  /** The provider, or the model. */
  name: Schema.String,
  /** `works`: no node has trouble with it; `failing`: some have; `down`: all that use it have. */
  state: Schema.Literals(["works", "failing", "down"]),
  /** How many nodes use it, and how many of them have trouble with it now. */
  nodes: Schema.Int,
  failing: Schema.Int,
  /** When the present trouble began, and the last failure of all; null: none since the nodes started. */
  since: Schema.NullOr(Schema.String),
  lastFailedAt: Schema.NullOr(Schema.String)
}).annotate({
  title: "OperatedProvider",
  examples: [
    {
      service: "text-to-speech",
      name: "deepgram",
      state: "failing",
      nodes: 4,
      failing: 1,
      since: "2026-11-22T09:58:10.000Z",
      lastFailedAt: "2026-11-22T10:00:00.000Z"
    }
  ]
})
export type OperatedProvider = typeof OperatedProvider.Type

type Seen = ToldNode["providers"][number]

const ends = (times: ReadonlyArray<string | null>) => times.filter((time) => time !== null).toSorted()

/** What nodes see of one provider, together. `undefined` for one that is of no service that is shown. */
export const togetherSeen = (provider: string, seen: ReadonlyArray<Seen>): OperatedProvider | undefined => {
  const named = providerNamed(provider)
  if (named === undefined) return undefined
  const failing = seen.filter(({ since, until }) => since !== null && until === null)
  return {
    ...named,
    state: failing.length === 0 ? "works" : failing.length < seen.length ? "failing" : "down",
    nodes: seen.length,
    failing: failing.length,
    since: ends(failing.map(({ since }) => since)).at(0) ?? null,
    lastFailedAt: ends(seen.map(({ failedAt }) => failedAt)).at(-1) ?? null
  }
}

const worstFirst = { down: 0, failing: 1, works: 2 } as const

/** Those in trouble first, then by service and name. */
export const makeProviderReport = Effect.map(NodeBoard, (board) =>
  Effect.map(Clock.currentTimeMillis, (now): ReadonlyArray<OperatedProvider> => {
    const seenOf = Arr.groupBy(
      board.told(now).flatMap(({ providers }) => providers),
      ({ provider }) => provider
    )
    return Object.entries(seenOf)
      .flatMap(([provider, seen]) => togetherSeen(provider, seen) ?? [])
      .toSorted(
        (a, b) =>
          worstFirst[a.state] - worstFirst[b.state] ||
          a.service.localeCompare(b.service) ||
          a.name.localeCompare(b.name)
      )
  })
)
