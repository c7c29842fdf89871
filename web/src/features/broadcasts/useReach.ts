/** Whom a broadcast would reach, counted by the service without anything being made. */
import type { BroadcastPreview, NewBroadcast } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"

const count = async (body: NewBroadcast, signal: AbortSignal): Promise<BroadcastPreview> => {
  const answer = await parley.broadcasts.create({ ...body, dryRun: true }, { signal })
  if (!("dryRun" in answer)) throw new Error("The service made a broadcast, and was asked to count.")
  return answer
}

export const useReach = (body: NewBroadcast) =>
  useQuery<BroadcastPreview>({
    queryKey: keys.reach(body),
    gcTime: 0,
    staleTime: 0,
    retry: false,
    placeholderData: (before) => before,
    queryFn: ({ signal }) => count(body, signal)
  })
