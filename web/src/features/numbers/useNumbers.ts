/** The telephone numbers of the organization, as the browser holds them. */
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { firstOf } from "../../lib/firstOf.ts"

export const useNumbers = () =>
  useQuery({
    queryKey: keys.numbers,
    queryFn: ({ signal }) => firstOf(parley.phoneNumbers.list({ limit: 100 }, { signal }))
  })
