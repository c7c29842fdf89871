/** The telephone numbers of the organization, as the browser holds them. */
import type { PhoneNumber } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"

export const useNumbers = () =>
  useQuery({
    queryKey: keys.numbers,
    queryFn: async ({ signal }) => {
      const found: Array<PhoneNumber> = []
      for await (const number of parley.phoneNumbers.list({ limit: 100 }, { signal })) found.push(number)
      return found
    }
  })
