/** The text agents of the organization. */
import type { TextAgent } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"

/** An organization has at most 50. */
export const useBots = () =>
  useQuery({
    queryKey: keys.textAgents,
    // No event tells of changes.
    staleTime: 0,
    queryFn: ({ signal }) => parley.textAgents.list({ limit: 100 }, { signal }).then(({ data }) => data)
  })

export const useBot = (id: string) =>
  useQuery<TextAgent>({
    queryKey: keys.textAgent(id),
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: ({ signal }) => parley.textAgents.get(id, { signal })
  })
