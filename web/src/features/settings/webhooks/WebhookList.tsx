/** The addresses of the organization's own servers that are told of events. */
import type { WebhookEndpoint, WebhookEndpointWithSecret } from "@parley/client"
import { Link, useNavigate } from "@tanstack/react-router"
import { Plus } from "lucide-react"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useNumbered } from "../../../api/numbered.ts"
import { Button } from "../../../components/Button.tsx"
import { Listed } from "../../../components/Listed.tsx"
import { PageBody, PageHead } from "../../../components/Page.tsx"
import { Empty } from "../../../components/States.tsx"
import { t } from "../../../lib/i18n.ts"
import { useKeys } from "../../../lib/keyboard.ts"
import { EndpointForm } from "./EndpointForm.tsx"
import { EndpointState } from "./EndpointState.tsx"
import { WebhookSecret } from "./WebhookSecret.tsx"
import { eventsText, hostOf } from "./words.ts"

const Row = ({ endpoint }: { readonly endpoint: WebhookEndpoint }) => (
  <li className="not-last:border-b not-last:border-line">
    <Link
      to="/settings/webhooks/$id"
      params={{ id: endpoint.id }}
      className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 hover:bg-hover focus-visible:outline-offset-[-2px]"
    >
      <span className="min-w-0 flex-1 basis-56">
        <bdi className="block truncate font-medium">{endpoint.description || hostOf(endpoint.url)}</bdi>
        <span className="block truncate text-small text-ink-3" dir="ltr">
          {endpoint.url}
        </span>
        <span className="block truncate text-small text-ink-3">{eventsText(endpoint.events)}</span>
      </span>
      <EndpointState endpoint={endpoint} />
    </Link>
  </li>
)

export const WebhookList = () => {
  const navigate = useNavigate()
  const [making, setMaking] = useState(false)
  /** In this component's memory only, until the person has kept it. */
  const [made, setMade] = useState<WebhookEndpointWithSecret>()
  const list = useNumbered({
    queryKey: keys.webhookList,
    read: (at, signal) => parley.webhooks.list(at, { signal })
  })
  useKeys({ n: () => setMaking(true) })
  const add = (
    <Button tone="primary" icon={Plus} keys="N" onClick={() => setMaking(true)}>
      {t("New webhook")}
    </Button>
  )
  return (
    <>
      <PageHead title={t("Webhooks")}>{add}</PageHead>
      <PageBody wide>
        <Listed
          list={list}
          empty={
            <Empty title={t("No webhooks yet.")}>
              {t("A webhook tells a server of yours what happens here, as soon as it happens.")}
            </Empty>
          }
        >
          {(all) => (
            <ul aria-label={t("Webhooks")} className="rounded-card border border-line bg-surface">
              {all.map((endpoint) => (
                <Row key={endpoint.id} endpoint={endpoint} />
              ))}
            </ul>
          )}
        </Listed>
      </PageBody>
      {making && <EndpointForm onClose={() => setMaking(false)} onMade={setMade} />}
      {made !== undefined && (
        <WebhookSecret
          endpoint={made}
          onKept={() => {
            setMade(undefined)
            void navigate({ to: "/settings/webhooks/$id", params: { id: made.id } })
          }}
        />
      )}
    </>
  )
}
