/** Records in bulk: those from before the connection that are sent, and those that are taken over. */
import type { Integration, IntegrationConnection } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { CirclePlay, CircleStop, RefreshCw } from "lucide-react"
import { parley } from "../../api/client.ts"
import { AmountBar } from "../../components/AmountBar.tsx"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { number } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { useTask } from "../../lib/task.ts"
import { showIntegration } from "./useIntegrations.ts"

const states = {
  none: message("not begun"),
  running: message("runs"),
  stopped: message("stopped"),
  done: message("done"),
  failed: message("failed")
} as const

/** Only these are told of our contacts. */
const isTold = ({ kind }: Integration) => kind === "crm" || kind === "notes" || kind === "webhook"

export const Records = ({
  integration,
  connection: { backfill, pulls, enabled }
}: {
  readonly integration: Integration
  readonly connection: IntegrationConnection
}) => {
  const client = useQueryClient()
  const { busy, run } = useTask()
  const { provider } = integration
  const told = isTold(integration)
  if (!told && pulls.length === 0) return null
  const running = backfill.state === "running"
  const doing = (work: () => Promise<Integration>) => () => run(async () => showIntegration(client, await work()))
  return (
    <Card title={t("Contacts and records from before")}>
      {told && (
        <div className="flex flex-col gap-1.5">
          <p className="flex justify-between gap-2">
            <span>
              {t("Sent")}: {t(states[backfill.state])}
            </span>
            <span className="num text-ink-3">
              {t("{sent} of {total}", { sent: number(backfill.sent), total: number(backfill.total) })}
            </span>
          </p>
          <AmountBar label={t("Sent")} used={backfill.sent} of={backfill.total} />
        </div>
      )}
      {pulls.length > 0 && (
        <ul className="flex flex-col gap-1">
          {pulls.map(({ kind, state, records, problem }) => (
            <li key={kind} className="flex flex-wrap gap-x-3">
              <span className="flex-1">
                {t("Taken over: {kind}", { kind })}, {t(states[state])}
              </span>
              <span className="num text-ink-3">{number(records)}</span>
              {problem !== null && <span className="w-full text-danger">{problem}</span>}
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-2">
        {running ? (
          <Button icon={CircleStop} disabled={busy} onClick={doing(() => parley.integrations.stopBackfill(provider))}>
            {t("Stop")}
          </Button>
        ) : (
          <Button
            icon={CirclePlay}
            disabled={busy || !enabled}
            onClick={doing(() => parley.integrations.startBackfill(provider))}
          >
            {told ? t("Send the contacts there are") : t("Take over all records")}
          </Button>
        )}
        {pulls.length > 0 && (
          <Button
            icon={RefreshCw}
            disabled={busy || !enabled}
            onClick={doing(() => parley.integrations.sync(provider))}
          >
            {t("Take over what changed")}
          </Button>
        )}
      </div>
    </Card>
  )
}
