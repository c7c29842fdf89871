/** One endpoint: how it stands, what it was sent, and everything that one does with it. */
import type { WebhookEndpoint, WebhookEndpointWithSecret } from "@parley/client"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Pencil, RotateCw, Send, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Button } from "../../../components/Button.tsx"
import { Card } from "../../../components/Card.tsx"
import { PageBody, PageHead } from "../../../components/Page.tsx"
import { NoRecord, Skeleton } from "../../../components/States.tsx"
import { Switch } from "../../../components/Switch.tsx"
import { moment } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { useTask } from "../../../lib/task.ts"
import { say, sayAndHold, sayProblem } from "../../../lib/toasts.ts"
import { Facts } from "../parts/Facts.tsx"
import { Deliveries } from "./Deliveries.tsx"
import { EndpointForm } from "./EndpointForm.tsx"
import { EndpointState } from "./EndpointState.tsx"
import { NewSecret } from "./NewSecret.tsx"
import { WebhookSecret } from "./WebhookSecret.tsx"
import { eventsText, hostOf } from "./words.ts"

const Loaded = ({
  endpoint,
  delivery
}: {
  readonly endpoint: WebhookEndpoint
  readonly delivery: string | undefined
}) => {
  const { id, url, description, events, headers, enabled, disabledReason, failingSince, previousSecretUntil } = endpoint
  const client = useQueryClient()
  const navigate = useNavigate()
  const [opened, setOpened] = useState<"change" | "rotate">()
  const [fresh, setFresh] = useState<WebhookEndpointWithSecret>()
  const { busy, run } = useTask()
  const again = () => client.invalidateQueries({ queryKey: keys.webhooks })
  const turn = (on: boolean) =>
    run(async () => {
      client.setQueryData(keys.webhook(id), await parley.webhooks.update(id, { enabled: on }))
      await again()
      say(on ? t("The webhook is on. It is told what happens from now on.") : t("The webhook is off."))
    })
  const test = () =>
    run(async () => {
      const made = await parley.webhooks.test(id)
      await again()
      void navigate({ to: "/settings/webhooks/$id", params: { id }, search: { delivery: made.id } })
    })
  /** The service cannot bring it back, so it is deleted when its message has gone. */
  const remove = () => {
    void navigate({ to: "/settings/webhooks" })
    sayAndHold(
      t("{name} is being deleted…", { name: description || hostOf(url) }),
      { label: t("Undo"), run: () => void navigate({ to: "/settings/webhooks/$id", params: { id } }) },
      () => void parley.webhooks.remove(id).then(again, sayProblem)
    )
  }
  return (
    <>
      <PageHead title={description || hostOf(url)} beside={<EndpointState endpoint={endpoint} />}>
        <Button icon={Send} disabled={busy || !enabled} onClick={test}>
          {t("Send a test")}
        </Button>
        <Button icon={Pencil} onClick={() => setOpened("change")}>
          {t("Change")}
        </Button>
      </PageHead>
      <PageBody wide>
        {disabledReason !== null && (
          <p role="status" className="rounded-card bg-danger-soft px-4 py-3 text-danger">
            {disabledReason} {t("Mend the server, then switch the webhook on and replay what it missed.")}
          </p>
        )}
        {enabled && failingSince !== null && (
          <p role="status" className="rounded-card bg-warn-soft px-4 py-3 text-warn">
            {t("No delivery has succeeded since {time}. We go on trying for some days.", {
              time: moment(failingSince)
            })}
          </p>
        )}
        <Card
          title={t("Where it goes")}
          beside={
            <>
              <Button small icon={RotateCw} onClick={() => setOpened("rotate")}>
                {t("New secret")}
              </Button>
              <Button small tone="danger" icon={Trash2} onClick={remove}>
                {t("Delete")}
              </Button>
            </>
          }
        >
          <Facts
            of={[
              [
                t("Address"),
                <span key="url" dir="ltr" className="font-mono text-small">
                  {url}
                </span>
              ],
              [t("Events"), eventsText(events)],
              ...(Object.keys(headers).length === 0 ? [] : [[t("Headers"), Object.keys(headers).join(", ")] as const]),
              ...(previousSecretUntil === null
                ? []
                : [[t("Old secret"), t("signs too until {time}", { time: moment(previousSecretUntil) })] as const])
            ]}
          />
          <Switch
            label={t("Gets events")}
            detail={t("what happens while it is off is not sent by itself")}
            checked={enabled}
            disabled={busy}
            onChange={turn}
          />
        </Card>
        <Deliveries endpoint={endpoint} opened={delivery} />
      </PageBody>
      {opened === "change" && <EndpointForm endpoint={endpoint} onClose={() => setOpened(undefined)} />}
      {opened === "rotate" && <NewSecret id={id} onClose={() => setOpened(undefined)} onMade={setFresh} />}
      {fresh !== undefined && <WebhookSecret endpoint={fresh} onKept={() => setFresh(undefined)} />}
    </>
  )
}

export const WebhookView = ({ id, delivery }: { readonly id: string; readonly delivery: string | undefined }) => {
  const { data, error, refetch } = useQuery({
    queryKey: keys.webhook(id),
    queryFn: ({ signal }) => parley.webhooks.get(id, { signal }),
    // The service turns off what fails for days.
    staleTime: 0
  })
  if (data !== undefined) return <Loaded endpoint={data} delivery={delivery} />
  if (error === null) return <Skeleton className="m-6 h-10 w-64" />
  return (
    <NoRecord
      error={error}
      again={() => void refetch()}
      title={t("This webhook does not exist.")}
      to="/settings/webhooks"
      list={t("To the webhooks")}
    />
  )
}
