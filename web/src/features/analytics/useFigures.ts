/** The figures of some days, and of as many before. */
import type { Analytics } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { type Range, rangeBefore } from "./range.ts"

export type GroupBy = Analytics["groupBy"]

export const useFigures = (range: Range, groupBy: GroupBy) =>
  useQuery({
    queryKey: keys.analytics({ ...range, groupBy }),
    queryFn: async ({ signal }) => {
      const [now, before] = await Promise.all([
        parley.analytics.get({ ...range, groupBy }, { signal }),
        parley.analytics.get({ ...rangeBefore(range), groupBy: "month" }, { signal })
      ])
      return { now, before }
    },
    placeholderData: (before) => before
  })

export const useCost = (range: Range) =>
  useQuery({
    queryKey: keys.usage(range),
    queryFn: async ({ signal }) => {
      const [voice, ai] = await Promise.all([
        parley.voiceUsage.get({ ...range, groupBy: "day" }, { signal }),
        parley.aiUsage.get({ ...range, groupBy: "model" }, { signal })
      ])
      return { voice, ai }
    },
    placeholderData: (before) => before
  })
