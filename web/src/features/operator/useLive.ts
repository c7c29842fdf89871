/** What of the installation is asked for again and again while its page is seen: no event tells of it. */
import { useQuery } from "@tanstack/react-query"
import { keys } from "../../api/keys.ts"
import { operator } from "../../api/operator.ts"

const everyMs = 5_000

export const useNodes = () =>
  useQuery({
    queryKey: keys.nodes,
    queryFn: ({ signal }) => operator.operatorNodes.list({ signal }).then(({ data }) => data),
    staleTime: 0,
    refetchInterval: everyMs
  })

export const useProviders = () =>
  useQuery({
    queryKey: keys.providers,
    queryFn: ({ signal }) => operator.operatorProviders.list({ signal }).then(({ data }) => data),
    staleTime: 0,
    refetchInterval: everyMs
  })
