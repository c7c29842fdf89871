/** What can be connected and what is: what stopped stands first. */
import type { Integration } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { ChevronRight, Lock, TriangleAlert } from "lucide-react"
import type { ReactNode } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Chip } from "../../components/Chip.tsx"
import { SearchInput } from "../../components/Field.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { ago, number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"
import { AutomationApps } from "./AutomationApps.tsx"
import { Mark } from "./Mark.tsx"
import { useIntegrations } from "./useIntegrations.ts"
import { gains, kinds, stateOf } from "./words.ts"

const row =
  "flex min-h-14 items-center gap-3 border-line bg-surface px-4 py-2 not-last:border-b hover:bg-hover focus-visible:-outline-offset-2"

/** A service with its kind, and what stands on the right. */
const Row = ({
  provider,
  title,
  kind,
  children
}: {
  readonly provider: string
  readonly title: string
  readonly kind: string
  readonly children: ReactNode
}) => (
  <li className="border-line not-last:border-b">
    <Link to="/integrations/$provider" params={{ provider }} className={row}>
      <Mark title={title} />
      <span className="min-w-0 flex-1">
        <b className="block truncate font-semibold">{title}</b>
        <span className="block truncate text-small text-ink-3">{kind}</span>
      </span>
      {children}
      <Icon of={ChevronRight} className="text-ink-3 rtl:rotate-180" />
    </Link>
  </li>
)

const Connected = ({ integration }: { readonly integration: Integration }) => {
  const now = useNow()
  const { provider, title, kind, connection } = integration
  if (connection === null) return null
  const { tone, text } = stateOf(connection, now)
  const problems = connection.problems + connection.arrivalProblems
  return (
    <Row provider={provider} title={title} kind={`${t(kinds[kind])} · ${connection.account.name}`}>
      {problems > 0 && (
        <span className="text-small text-ink-2 max-md:hidden">
          {t("{n, plural, one {# problem} other {# problems}}", { n: problems })}
        </span>
      )}
      {connection.lastSyncedAt !== null && (
        <span className="num text-small text-ink-3 max-md:hidden">{ago(connection.lastSyncedAt, now)}</span>
      )}
      <Chip tone={tone}>{text}</Chip>
    </Row>
  )
}

/** WhatsApp is no integration of the catalogue, but is connected like one. */
const WhatsApp = () => {
  const { data } = useQuery({
    queryKey: keys.messagingStatus,
    queryFn: ({ signal }) => parley.status.get({ signal })
  })
  const state =
    data === undefined ? undefined : !data.connected ? "none" : data.problem === null ? ("good" as const) : "danger"
  return (
    <Row provider="whatsapp" title="WhatsApp" kind={data?.businessName ?? t("Messages of contacts")}>
      {state === "none" && <Chip>{t("Not connected")}</Chip>}
      {state === "good" && <Chip tone="good">{t("Working")}</Chip>}
      {state === "danger" && <Chip tone="danger">{t("Has stopped")}</Chip>}
    </Row>
  )
}

/** A connection that waits for somebody. */
const Stopped = ({ integration: { provider, title, connection } }: { readonly integration: Integration }) => (
  <div role="alert" className="flex flex-wrap items-center gap-3 rounded-card bg-danger-soft px-4 py-3 text-danger">
    <Icon of={TriangleAlert} />
    <p className="min-w-0 flex-1 basis-60">
      <b className="font-semibold">{t("{name} does not let us in.", { name: title })}</b> {connection?.problem}{" "}
      {t(
        "{n, plural, =0 {Nothing is lost.} one {Nothing is lost: # change waits.} other {Nothing is lost: # changes wait.}}",
        {
          n: connection?.waiting ?? 0
        }
      )}
    </p>
    <Link to="/integrations/$provider" params={{ provider }} className="font-medium underline">
      {t("See {name}", { name: title })}
    </Link>
  </div>
)

const Offered = ({ integration: { provider, title, kind, refusal } }: { readonly integration: Integration }) => (
  <li className="relative flex flex-col gap-2 rounded-card border border-line bg-surface p-4 hover:bg-hover">
    <span className="flex items-center gap-3">
      <Mark title={title} />
      <span className="min-w-0 flex-1">
        <Link
          to="/integrations/$provider"
          params={{ provider }}
          className="block truncate font-semibold after:absolute after:inset-0 after:rounded-card"
        >
          {title}
        </Link>
        <span className="block text-small text-ink-3">{t(kinds[kind])}</span>
      </span>
      {refusal !== null && <Icon of={Lock} className="text-ink-3" />}
    </span>
    <span className="text-ink-2">{t(gains[kind])}</span>
  </li>
)

export const IntegrationList = () => {
  const { search = "" } = useSearch({ from: "/signed-in/integrations" })
  const navigate = useNavigate()
  const { data, error, refetch } = useIntegrations()
  const find = (next: string) =>
    void navigate({ to: "/integrations", search: next === "" ? {} : { search: next }, replace: true })
  const words = search.toLowerCase().split(/\s+/)
  const shown = (data ?? []).filter(({ title, kind }) => {
    const all = `${title} ${t(kinds[kind])}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const connected = shown.filter(({ connection }) => connection !== null)
  const stopped = connected.filter(({ connection }) => connection?.enabled === true && connection.state !== "connected")
  const offered = shown.filter(({ connection }) => connection === null)
  const refusal = data?.find((one) => one.refusal !== null)?.refusal
  const whatsApp = words.every((word) => "whatsapp".includes(word))
  const count = data?.filter(({ connection }) => connection !== null).length ?? 0
  return (
    <>
      <PageHead
        title={t("Integrations")}
        beside={data !== undefined && <span className="text-ink-3">{t("{n} connected", { n: number(count) })}</span>}
      >
        <SearchInput label={t("Find an integration")} value={search} onSearch={find} />
      </PageHead>
      <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
        {error !== null && data === undefined ? (
          <ErrorBlock error={error} again={() => void refetch()} />
        ) : data === undefined ? (
          <ListSkeleton />
        ) : (
          <div className="mx-auto flex max-w-[960px] flex-col gap-5">
            {stopped.map((integration) => (
              <Stopped key={integration.provider} integration={integration} />
            ))}
            {(connected.length > 0 || whatsApp) && (
              <section aria-label={t("Connected")}>
                <h2 className="mb-2 font-semibold">{t("Connected")}</h2>
                <ul className="overflow-hidden rounded-card border border-line">
                  {whatsApp && <WhatsApp />}
                  {connected.map((integration) => (
                    <Connected key={integration.provider} integration={integration} />
                  ))}
                </ul>
              </section>
            )}
            {offered.length > 0 && (
              <section aria-label={t("Add")}>
                <h2 className="mb-2 font-semibold">{t("Add")}</h2>
                {refusal !== undefined && refusal !== null && (
                  <p className="mb-3 flex items-center gap-2 rounded-card border border-dashed border-line-strong px-4 py-3">
                    <Icon of={Lock} className="text-ink-3" /> {refusal}
                  </p>
                )}
                <ul className="grid gap-3 md:grid-cols-2 lg:grid-cols-3">
                  {offered.map((integration) => (
                    <Offered key={integration.provider} integration={integration} />
                  ))}
                </ul>
              </section>
            )}
            {search === "" && <AutomationApps />}
            {connected.length + offered.length === 0 && !whatsApp && <Empty title={t("No integration matches.")} />}
          </div>
        )}
      </div>
    </>
  )
}
