import type { Template } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { firstOf } from "../../lib/firstOf.ts"

/** Of more than so many templates the oldest are left out. */
const most = 1_000

/** All templates, as the channel told of them at the last sync. */
export const useTemplates = (enabled = true) =>
  useQuery({
    queryKey: keys.templates,
    enabled,
    queryFn: ({ signal }): Promise<ReadonlyArray<Template>> =>
      firstOf(parley.templates.list({ limit: 100 }, { signal }), most)
  })
