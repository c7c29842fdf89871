/** The assistants that a person has connected by signing in: what they may do, when they last did, and their end. */
import type { ApiKey } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Card } from "../../../components/Card.tsx"
import { ErrorBlock, Skeleton } from "../../../components/States.tsx"
import { firstOf } from "../../../lib/firstOf.ts"
import { t } from "../../../lib/i18n.ts"
import { KeyRow } from "../keys/KeyRow.tsx"
import { RevokeKey } from "../keys/RevokeKey.tsx"

/** Of more keys than so many the oldest are not looked at. */
const most = 1_000

export const Assistants = () => {
  const [revoking, setRevoking] = useState<ApiKey>()
  const { data, error, refetch } = useQuery({
    queryKey: keys.assistants,
    queryFn: async ({ signal }) => {
      const all = await firstOf(parley.apiKeys.list({ limit: 100 }, { signal }), most)
      return all.filter(({ clientId, status }) => clientId !== null && status === "active")
    },
    staleTime: 0
  })
  return (
    <Card title={t("Connected assistants")}>
      {error !== null && data === undefined ? (
        <ErrorBlock error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-12" />
      ) : data.length === 0 ? (
        <p className="text-ink-3">{t("None. An assistant stands here once somebody has allowed it something.")}</p>
      ) : (
        <ul aria-label={t("Connected assistants")} className="-mx-4 -my-2">
          {data.map((one) => (
            <KeyRow key={one.id} apiKey={one} onRevoke={() => setRevoking(one)} />
          ))}
        </ul>
      )}
      {revoking !== undefined && (
        <RevokeKey apiKey={revoking} done={t("The assistant is disconnected.")} onClose={() => setRevoking(undefined)}>
          {t("The assistant is refused at once. Somebody may connect it again.")}
        </RevokeKey>
      )}
    </Card>
  )
}
