/** One delivery: what was sent, what was answered, and the way to send it again. */
import type { WebhookEndpoint } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Send } from "lucide-react"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Button } from "../../../components/Button.tsx"
import { Chip } from "../../../components/Chip.tsx"
import { Dialog } from "../../../components/Dialog.tsx"
import { ErrorBlock, ListSkeleton, Problem } from "../../../components/States.tsx"
import { moment, number } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { sentenceOf } from "../../../lib/sentence.ts"
import { Code, pretty } from "../parts/Code.tsx"
import { Facts } from "../parts/Facts.tsx"
import { isUnderWay, stateOf } from "./words.ts"

const readAgainMs = 1_000

export const DeliveryDialog = ({
  endpoint,
  id,
  onClose
}: {
  readonly endpoint: WebhookEndpoint
  readonly id: string
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const [problem, setProblem] = useState<string>()
  const { data, error, refetch } = useQuery({
    queryKey: keys.delivery(endpoint.id, id),
    queryFn: ({ signal }) => parley.webhooks.getDelivery(endpoint.id, id, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data !== undefined && isUnderWay(state.data) ? readAgainMs : false)
  })
  const resend = async () => {
    setProblem(undefined)
    try {
      await parley.webhooks.resendDelivery(endpoint.id, id)
      await client.invalidateQueries({ queryKey: keys.allDeliveries(endpoint.id) })
    } catch (cause) {
      setProblem(sentenceOf(cause))
    }
  }
  const state = data === undefined ? undefined : stateOf(data)
  return (
    <Dialog
      title={t("Delivery")}
      onClose={onClose}
      footer={
        <Button
          tone="primary"
          icon={Send}
          disabled={data === undefined || !endpoint.enabled}
          onClick={() => void resend()}
        >
          {t("Send again")}
        </Button>
      }
    >
      {error !== null && data === undefined ? (
        <ErrorBlock error={error} again={() => void refetch()} />
      ) : data === undefined || state === undefined ? (
        <ListSkeleton />
      ) : (
        <div className="flex flex-col gap-3">
          <Facts
            of={[
              [
                t("Event"),
                <span key="event" className="font-mono text-small">
                  {data.eventType}
                </span>
              ],
              [
                t("State"),
                <span key="state" role="status">
                  <Chip tone={state.tone}>{state.name}</Chip>
                </span>
              ],
              [t("Attempts"), number(data.attempts)],
              ...(data.lastAttemptAt === null ? [] : [[t("Last attempt"), moment(data.lastAttemptAt)] as const]),
              ...(data.status === "pending" && data.nextAttemptAt !== null && data.lastAttemptAt !== null
                ? [[t("Next attempt"), moment(data.nextAttemptAt)] as const]
                : []),
              ...(data.httpStatus === null ? [] : [[t("Answer"), `HTTP ${data.httpStatus}`] as const]),
              ...(data.durationMs === null
                ? []
                : [[t("It took"), t("{n} ms", { n: number(data.durationMs) })] as const]),
              ...(data.error === null ? [] : [[t("What is wrong"), data.error] as const])
            ]}
          />
          <Problem>{problem}</Problem>
          {data.response !== null && data.response !== "" && (
            <Code label={t("What your server answered")} text={pretty(data.response)} />
          )}
          {data.body === null ? (
            <p className="text-ink-3">{t("What was sent is not kept any more.")}</p>
          ) : (
            <Code label={t("What we sent")} text={pretty(data.body)} />
          )}
        </div>
      )}
    </Dialog>
  )
}
