/** What this process has heard of all nodes, itself included. Nothing of it is stored: a process that starts knows all nodes after some seconds. */
import { Context } from "effect"
import { nodeLostAfterMs, type ServiceNode, type ToldNode } from "./ServiceNode.ts"

/** A lost node is shown for so long. */
const forgottenAfterMs = 60 * 60_000
/** The most nodes that are known; beyond it the one that was heard of longest ago is forgotten. */
const most = 500

interface HeardNode {
  readonly told: ToldNode
  /** Unix milliseconds. */
  readonly at: number
}

export interface NodeBoard {
  /** Call it with what a node tells. True when the node was not known. */
  readonly note: (told: ToldNode, at: number) => boolean
  /** The node has stopped. */
  readonly forget: (id: string) => void
  /** All nodes by host, with what they told last. */
  readonly list: (now: number) => ReadonlyArray<ServiceNode>
  /** What the nodes that are not lost told last. */
  readonly told: (now: number) => ReadonlyArray<ToldNode>
}

export const makeNodeBoard = (): NodeBoard => {
  const heard = new Map<string, HeardNode>()
  const isLost = ({ at }: HeardNode, now: number) => now - at > nodeLostAfterMs
  const known = (now: number) => {
    for (const [id, { at }] of heard) if (now - at > forgottenAfterMs) heard.delete(id)
    return [...heard.values()]
  }
  return {
    note: (told, at) => {
      const isNew = !heard.delete(told.id)
      const [oldest] = heard.size >= most ? heard.keys() : []
      if (oldest !== undefined) heard.delete(oldest)
      heard.set(told.id, { told, at })
      return isNew
    },
    forget: (id) => void heard.delete(id),
    list: (now) =>
      known(now)
        .map((node) => {
          const { providers: _, ...shown } = node.told
          return { ...shown, seenAt: new Date(node.at).toISOString(), lost: isLost(node, now) }
        })
        .toSorted((a, b) => a.host.localeCompare(b.host) || a.pid - b.pid),
    told: (now) =>
      known(now)
        .filter((node) => !isLost(node, now))
        .map(({ told }) => told)
  }
}

/** The board of this process, unless another one is provided. */
export const NodeBoard = Context.Reference<NodeBoard>("parley/domain/NodeBoard", { defaultValue: makeNodeBoard })
