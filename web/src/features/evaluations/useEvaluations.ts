/** Evaluations and their runs. A run that waits or is played is read again every 2 seconds: no event tells of it. */
import type { EvaluationRun } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"

const againEveryMs = 2_000

export const isPlayed = ({ state }: Pick<EvaluationRun, "state">): boolean => state === "queued" || state === "running"

export const useEvaluation = (id: string) =>
  useQuery({
    queryKey: keys.evaluation(id),
    queryFn: ({ signal }) => parley.evaluations.get(id, { signal })
  })

export const useRuns = (id: string) =>
  useNumbered({
    queryKey: keys.evaluationRuns(id),
    read: (at, signal) => parley.evaluations.listRuns(id, at, { signal }),
    againAfterMs: (runs) => (runs.some(isPlayed) ? againEveryMs : false)
  })

/** A run with its conversations; not asked for without an id. */
export const useRun = (id: string, run: string | undefined) =>
  useQuery({
    queryKey: keys.evaluationRun(id, run ?? ""),
    enabled: run !== undefined,
    queryFn: ({ signal }) => parley.evaluations.getRun(id, run ?? "", { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && isPlayed(state.data) ? againEveryMs : false)
  })
