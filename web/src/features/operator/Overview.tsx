/** Whether everything is well, on one page: lines, nodes, providers, a run that is under way, and what happened last. */
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { keys } from "../../api/keys.ts"
import { operator } from "../../api/operator.ts"
import type { OperatedProvider, ServiceNode } from "../../api/operators/types.ts"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Loaded } from "../../components/Loaded.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { Stat } from "../../components/Stat.tsx"
import { ErrorBlock, Skeleton } from "../../components/States.tsx"
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { EventRow } from "./Events.tsx"
import { NodeRows } from "./Nodes.tsx"
import { ProviderRows } from "./Providers.tsx"
import type { OperatorPlace } from "./places.ts"
import { ResyncProgress, useResyncs } from "./Resyncs.tsx"
import { useNodes, useProviders } from "./useLive.ts"

const More = ({ to, children }: { readonly to: OperatorPlace["to"]; readonly children: ReactNode }) => (
  <Link to={to} className="text-small font-medium text-accent underline">
    {children}
  </Link>
)

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

const Figures = ({
  nodes,
  providers,
  organizations
}: {
  readonly nodes: ReadonlyArray<ServiceNode> | undefined
  readonly providers: ReadonlyArray<OperatedProvider> | undefined
  readonly organizations: number | undefined
}) => {
  if (nodes === undefined || providers === undefined || organizations === undefined)
    return <Skeleton className="h-[88px]" />
  const heard = nodes.filter(({ lost }) => !lost)
  const taken = sum(heard.map(({ lines }) => lines?.taken ?? 0))
  const open = sum(heard.filter(({ state }) => state === "open").map(({ lines }) => lines?.capacity ?? 0))
  const notOpen = nodes.filter(({ state, lost }) => state !== "open" || lost).length
  const troubled = providers.filter(({ state }) => state !== "works").length
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
      <Stat name={t("Calls now")} value={number(taken)}>
        {t("of {n} lines that are open", { n: number(open) })}
      </Stat>
      <Stat name={t("Nodes")} value={number(nodes.length)}>
        {notOpen === 0 ? t("all in use") : t("{n} not in use", { n: number(notOpen) })}
      </Stat>
      <Stat name={t("Organizations")} value={number(organizations)} />
      <Stat name={t("Providers in trouble")} value={number(troubled)}>
        {t("of {n}", { n: number(providers.length) })}
      </Stat>
    </dl>
  )
}

/** Red only where something is. */
const Verdict = ({
  nodes,
  providers
}: {
  readonly nodes: ReadonlyArray<ServiceNode>
  readonly providers: ReadonlyArray<OperatedProvider>
}) => {
  const down = providers.filter(({ state }) => state === "down").length
  const lost = nodes.filter((node) => node.lost).length
  if (down > 0)
    return (
      <Chip tone="danger">{t("{n, plural, one {# provider is down} other {# providers are down}}", { n: down })}</Chip>
    )
  if (lost > 0)
    return (
      <Chip tone="danger">
        {t("{n, plural, one {# node is not heard of} other {# nodes are not heard of}}", { n: lost })}
      </Chip>
    )
  return <Chip tone="good">{t("Everything is well")}</Chip>
}

export const Overview = () => {
  const nodes = useNodes()
  const providers = useProviders()
  const runs = useResyncs()
  const organizations = useQuery({
    queryKey: keys.operated({ count: true }),
    queryFn: async ({ signal }) => (await operator.operatorOrganizations.list({ limit: 1 }, { signal })).total,
    staleTime: 0
  })
  const events = useQuery({
    queryKey: keys.installationEvents({ newest: true }),
    queryFn: async ({ signal }) => (await operator.operatorEvents.list({ limit: 8 }, { signal })).data,
    staleTime: 0
  })
  const underWay = runs.all?.find(({ status }) => status === "running" || status === "paused")
  return (
    <>
      <PageHead
        title={t("Overview")}
        beside={
          nodes.data !== undefined &&
          providers.data !== undefined && <Verdict nodes={nodes.data} providers={providers.data} />
        }
      />
      <PageBody wide>
        {organizations.error !== null && organizations.data === undefined ? (
          <ErrorBlock error={organizations.error} again={() => void organizations.refetch()} />
        ) : (
          <Figures nodes={nodes.data} providers={providers.data} organizations={organizations.data} />
        )}
        {underWay !== undefined && (
          <Card title={t("Re-sync of agents")} beside={<More to="/operator/resyncs">{t("To the run")}</More>}>
            <ResyncProgress run={underWay} />
          </Card>
        )}
        <Card title={t("Providers")} beside={<More to="/operator/providers">{t("All providers")}</More>}>
          <Loaded query={providers}>
            {(all) => {
              const troubled = all.filter(({ state }) => state !== "works")
              return troubled.length > 0 ? (
                <ProviderRows providers={troubled} />
              ) : (
                <p className="text-ink-2">
                  {t("{n, plural, one {# provider works.} other {All # providers work.}}", { n: all.length })}
                </p>
              )
            }}
          </Loaded>
        </Card>
        <Card title={t("Nodes")} beside={<More to="/operator/nodes">{t("All nodes")}</More>}>
          <Loaded query={nodes}>{(all) => <NodeRows nodes={all} />}</Loaded>
        </Card>
        <section aria-label={t("What happened last")} className="rounded-card border border-line bg-surface">
          <div className="flex items-center gap-2 px-4 pt-4 pb-1 md:px-5">
            <h2 className="flex-auto font-semibold">{t("What happened last")}</h2>
            <More to="/operator/events">{t("All events")}</More>
          </div>
          <Loaded query={events}>
            {(all) => (
              <ul aria-label={t("Events")}>
                {all.map((event) => (
                  <EventRow key={event.id} event={event} />
                ))}
              </ul>
            )}
          </Loaded>
        </section>
      </PageBody>
    </>
  )
}
