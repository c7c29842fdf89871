/** How a connection does, and what can be done with it: try it, switch it off and on, disconnect. */
import type { Integration, IntegrationConnection } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Plug, Power, Unplug } from "lucide-react"
import { type ReactNode, useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx"
import { CopyLine } from "../../components/CopyLine.tsx"
import { ago, moment, number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useTask } from "../../lib/task.ts"
import { useNow } from "../../lib/time.ts"
import { say } from "../../lib/toasts.ts"
import { showIntegration } from "./useIntegrations.ts"
import { stateOf } from "./words.ts"

const Disconnect = ({ integration, onClose }: { readonly integration: Integration; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const { provider, title } = integration
  return (
    <ConfirmDialog
      title={t("Disconnect {name}?", { name: title })}
      action={t("Disconnect")}
      onClose={onClose}
      onConfirm={async () => {
        await parley.integrations.remove(provider)
        onClose()
        showIntegration(client, { ...integration, connection: null })
        await client.invalidateQueries({ queryKey: keys.integrations })
        say(t("{name} is disconnected.", { name: title }))
      }}
    >
      {t("What was sent stays there. What waits is dropped, and the log is deleted.")}
    </ConfirmDialog>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex gap-3">
    <dt className="w-36 shrink-0 text-ink-3">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
)

export const Health = ({
  integration,
  connection
}: {
  readonly integration: Integration
  readonly connection: IntegrationConnection
}) => {
  const client = useQueryClient()
  const now = useNow()
  const { busy, run } = useTask()
  const [leaving, setLeaving] = useState(false)
  const { provider } = integration
  const { enabled, account, problem, problemAt, waitsUntil, waiting, arriving, lastSyncedAt, webhookUrl } = connection
  const { tone, text } = stateOf(connection, now)
  const test = () =>
    run(async () => {
      const { ok, problem: found } = await parley.integrations.test(provider)
      say(ok ? t("It works.") : (found ?? t("It does not work.")), undefined, ok ? "plain" : "bad")
      showIntegration(client, await parley.integrations.get(provider))
    })
  const turn = () =>
    run(async () =>
      showIntegration(
        client,
        await (enabled ? parley.integrations.disable(provider) : parley.integrations.enable(provider))
      )
    )
  return (
    <Card title={t("State")} beside={<Chip tone={tone}>{text}</Chip>}>
      {problem !== null && (
        <p role="alert" className="rounded-lg bg-danger-soft px-3 py-2 text-danger">
          {problem}{" "}
          {problemAt !== null && <span className="num">{t("Since {time}.", { time: moment(problemAt) })}</span>}
        </p>
      )}
      <dl className="flex flex-col gap-1.5">
        <Fact name={t("Account")}>
          <bdi>{account.name}</bdi>
        </Fact>
        <Fact name={t("Last exchange")}>
          {lastSyncedAt === null ? t("none yet") : <span title={moment(lastSyncedAt)}>{ago(lastSyncedAt, now)}</span>}
        </Fact>
        <Fact name={t("To be sent")}>{number(waiting)}</Fact>
        {(arriving > 0 || connection.webhooks.length > 0) && <Fact name={t("To be read")}>{number(arriving)}</Fact>}
        {waitsUntil !== null && Date.parse(waitsUntil) > now && (
          <Fact name={t("Waits until")}>{moment(waitsUntil)}</Fact>
        )}
        {connection.webhooks.map(({ topic, lastAt }) => (
          <Fact key={topic} name={t("Last of {topic}", { topic })}>
            <span title={moment(lastAt)}>{ago(lastAt, now)}</span>
          </Fact>
        ))}
      </dl>
      {webhookUrl !== null && <CopyLine label={t("Address of its webhooks")} text={webhookUrl} />}
      <div className="flex flex-wrap gap-2">
        <Button icon={Plug} disabled={busy} onClick={test}>
          {t("Test")}
        </Button>
        <Button icon={Power} disabled={busy || (!enabled && integration.refusal !== null)} onClick={turn}>
          {enabled ? t("Switch off") : t("Switch on")}
        </Button>
        <Button tone="danger" icon={Unplug} onClick={() => setLeaving(true)}>
          {t("Disconnect")}
        </Button>
      </div>
      {leaving && <Disconnect integration={integration} onClose={() => setLeaving(false)} />}
    </Card>
  )
}
