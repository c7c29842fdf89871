/** Knowledge bases, their sources, and what agents could not answer. */
import { type QueryClient, useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"

export const useKnowledgeBase = (id: string) =>
  useQuery({
    queryKey: keys.knowledgeBase(id),
    queryFn: ({ signal }) => parley.knowledgeBases.get(id, { signal })
  })

/** The sources of a base, newest first. An event tells of changes. */
export const useSources = (baseId: string) =>
  useNumbered({
    queryKey: keys.knowledgeSources(baseId),
    read: (at, signal) => parley.knowledgeSources.list(baseId, at, { signal })
  })

/** Reads a base and its sources again after a change of ours. */
export const readBaseAgain = (client: QueryClient, id: string): void => {
  for (const queryKey of [keys.knowledgeBase(id), keys.knowledgeSources(id), keys.knowledgeBases, keys.knowledgeChoice])
    void client.invalidateQueries({ queryKey })
}
