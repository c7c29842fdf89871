/** What an endpoint was sent, the newest first. */
import type { WebhookEndpoint } from "@parley/client"
import { useNavigate } from "@tanstack/react-router"
import { History } from "lucide-react"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useNumbered } from "../../../api/numbered.ts"
import { Button } from "../../../components/Button.tsx"
import { Chip } from "../../../components/Chip.tsx"
import { Listed } from "../../../components/Listed.tsx"
import { Empty } from "../../../components/States.tsx"
import { ago, moment } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { useNow } from "../../../lib/time.ts"
import { DeliveryDialog } from "./DeliveryDialog.tsx"
import { ReplayDialog } from "./ReplayDialog.tsx"
import { type DeliveryStatus, deliveryStates, isUnderWay, stateName, stateOf } from "./words.ts"

/** While an attempt is under way or near, the list is read again this often: the stream does not tell of deliveries. */
const readAgainMs = 2_000

export const Deliveries = ({
  endpoint,
  opened
}: {
  readonly endpoint: WebhookEndpoint
  readonly opened: string | undefined
}) => {
  const { id } = endpoint
  const navigate = useNavigate()
  const now = useNow()
  const [status, setStatus] = useState<DeliveryStatus>()
  const [replaying, setReplaying] = useState(false)
  const list = useNumbered({
    queryKey: keys.deliveries(id, { status }),
    read: (at, signal) => parley.webhooks.listDeliveries(id, { ...at, status }, { signal }),
    againAfterMs: (all) => (all.some(isUnderWay) ? readAgainMs : false)
  })
  const open = (delivery?: string) =>
    void navigate({
      to: "/settings/webhooks/$id",
      params: { id },
      search: delivery === undefined ? {} : { delivery },
      replace: true
    })
  return (
    <section aria-label={t("Deliveries")} className="overflow-hidden rounded-card border border-line bg-surface">
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2.5">
        <h2 className="flex-auto font-semibold">{t("Deliveries")}</h2>
        <select
          aria-label={t("State")}
          value={status ?? ""}
          onChange={(event) => setStatus(deliveryStates.find((one) => one === event.target.value))}
          className="h-8 rounded-control border border-line bg-surface px-2 pointer-coarse:h-11"
        >
          <option value="">{t("All states")}</option>
          {deliveryStates.map((one) => (
            <option key={one} value={one}>
              {stateName(one)}
            </option>
          ))}
        </select>
        <Button icon={History} disabled={!endpoint.enabled} onClick={() => setReplaying(true)}>
          {t("Replay")}
        </Button>
      </div>
      <Listed
        list={list}
        empty={
          <Empty title={status === undefined ? t("Nothing was sent yet.") : t("No delivery matches.")}>
            {status === undefined && t("Send a test to see what your server answers.")}
          </Empty>
        }
      >
        {(all) => (
          <ul aria-label={t("Deliveries")}>
            {all.map((delivery) => {
              const state = stateOf(delivery)
              return (
                <li key={delivery.id} className="not-last:border-b not-last:border-line">
                  <button
                    type="button"
                    aria-haspopup="dialog"
                    onClick={() => open(delivery.id)}
                    className="flex min-h-10 w-full flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-1.5 text-start hover:bg-hover focus-visible:outline-offset-[-2px] pointer-coarse:min-h-11"
                  >
                    <span className="min-w-0 flex-1 basis-40 truncate font-mono text-small">{delivery.eventType}</span>
                    {delivery.httpStatus !== null && (
                      <span className="num text-small text-ink-3">{delivery.httpStatus}</span>
                    )}
                    <Chip tone={state.tone}>{state.name}</Chip>
                    <time
                      dateTime={delivery.createdAt}
                      title={moment(delivery.createdAt)}
                      className="num w-14 text-end text-small text-ink-3"
                    >
                      {ago(delivery.createdAt, now)}
                    </time>
                  </button>
                </li>
              )
            })}
          </ul>
        )}
      </Listed>
      {opened !== undefined && (
        <DeliveryDialog key={opened} endpoint={endpoint} id={opened} onClose={() => open(undefined)} />
      )}
      {replaying && <ReplayDialog id={id} onClose={() => setReplaying(false)} />}
    </section>
  )
}
