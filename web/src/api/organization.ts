/** The organization: its plan, and what the plan has. */

import type { Organization } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "./client.ts"
import { keys } from "./keys.ts"

export const useOrganization = (enabled = true) =>
  useQuery({
    queryKey: keys.organization,
    enabled,
    staleTime: 60_000,
    queryFn: ({ signal }) => parley.organization.get({ signal })
  })

export type FeatureId = Organization["features"][number]["id"]

/** Whether the plan has something, once that is known, and why it has not. */
export const useFeature = (id: FeatureId): { readonly allowed: boolean; readonly refusal: string | undefined } => {
  const feature = useOrganization().data?.features.find((one) => one.id === id)
  const allowed = feature?.available === true
  return { allowed, refusal: feature === undefined || allowed ? undefined : (feature.reason ?? "") }
}
