import type { QuickReply } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { firstOf } from "../../lib/firstOf.ts"

/** Of more than so many quick replies the oldest are left out. */
const most = 1_000

/** All quick replies, by their shortcut. */
export const useQuickReplies = (enabled = true) =>
  useQuery({
    queryKey: keys.quickReplies,
    enabled,
    queryFn: async ({ signal }): Promise<ReadonlyArray<QuickReply>> => {
      const all = await firstOf(parley.quickReplies.list({ limit: 100 }, { signal }), most)
      return all.toSorted((a, b) => (a.shortcut < b.shortcut ? -1 : 1))
    }
  })
