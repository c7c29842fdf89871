/** What was sent and answered in the last seven days, newest first. */
import type { IntegrationLogEntry } from "@parley/client"
import { RefreshCw } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Listed } from "../../components/Listed.tsx"
import { moment, number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"

const Body = ({ title, text }: { readonly title: string; readonly text: string | null }) =>
  text !== null &&
  text !== "" && (
    <div>
      <p className="text-small text-ink-3">{title}</p>
      <pre dir="ltr" className="rounded-lg bg-sunken p-2 font-mono text-small break-all whitespace-pre-wrap">
        {text}
      </pre>
    </div>
  )

const Entry = ({ entry }: { readonly entry: IntegrationLogEntry }) => {
  const { method, url, status, error, durationMs, createdAt, request, response } = entry
  const good = status !== null && status < 400
  return (
    <li className="border-line not-last:border-b">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 py-2 hover:bg-hover">
          <Chip tone={good ? "good" : "danger"}>{status ?? t("no answer")}</Chip>
          <span dir="ltr" className="min-w-0 flex-1 basis-40 truncate font-mono text-small">
            {method} {url}
          </span>
          <span className="num text-small text-ink-3">
            {t("{n} ms", { n: number(durationMs) })} · {moment(createdAt)}
          </span>
        </summary>
        <div className="flex flex-col gap-2 pb-3">
          {error !== null && <p className="text-danger">{error}</p>}
          <p dir="ltr" className="font-mono text-small break-all">
            {url}
          </p>
          <Body title={t("Sent")} text={request} />
          <Body title={t("Answered")} text={response} />
        </div>
      </details>
    </li>
  )
}

export const Log = ({ provider }: { readonly provider: string }) => {
  const list = useNumbered({
    queryKey: [...keys.integrationLists(provider), "log"],
    read: (at, signal) => parley.integrations.log(provider, at, { signal })
  })
  return (
    <Card
      title={t("Log")}
      beside={
        <Button small icon={RefreshCw} disabled={list.isFetching} onClick={() => void list.refetch()}>
          {t("Read again")}
        </Button>
      }
    >
      <Listed list={list} empty={<p className="text-ink-3">{t("Nothing was sent yet.")}</p>}>
        {(all) => (
          <ul aria-label={t("Log")}>
            {all.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
      </Listed>
    </Card>
  )
}
