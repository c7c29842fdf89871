/** What the plan includes, what of it is used this month, and what goes beyond it. */
import type { Organization } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useOrganization } from "../../../api/organization.ts"
import { Card } from "../../../components/Card.tsx"
import { Chip } from "../../../components/Chip.tsx"
import { PageBody, PageHead } from "../../../components/Page.tsx"
import { ErrorBlock, Skeleton } from "../../../components/States.tsx"
import { money, number } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"
import { Facts } from "../parts/Facts.tsx"
import { Allowance } from "./Allowance.tsx"
import { featureNames, planNames } from "./words.ts"

const usd = (amount: string) => money(Number(amount), "USD")

const Plan = ({ organization: { plan, features, limits } }: { readonly organization: Organization }) => (
  <Card title={t("Plan")} beside={<Chip tone="accent">{t(planNames[plan])}</Chip>}>
    <Facts
      of={[
        [t("Calls at the same time"), number(limits.concurrentCalls)],
        [t("Voice agents"), number(limits.voiceAgents)],
        [t("Minutes of calls a month"), number(limits.voiceMinutesPerMonth)],
        [
          t("Recipients of a broadcast"),
          limits.broadcastSize === null ? t("as many as you like") : number(limits.broadcastSize)
        ]
      ]}
    />
    <ul aria-label={t("What the plan has")} className="flex flex-col">
      {features.map(({ id, available, reason }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-t border-line py-2">
          <span className="flex-1 basis-52">{t(featureNames[id])}</span>
          {available ? (
            <Chip tone="good">{t("included")}</Chip>
          ) : (
            <span className="text-small text-ink-3">{reason}</span>
          )}
        </li>
      ))}
    </ul>
    <p className="text-small text-ink-3">{t("The plan is changed by whoever operates this service.")}</p>
  </Card>
)

export const Usage = () => {
  const organization = useOrganization()
  const voice = useQuery({
    queryKey: keys.voiceUsage,
    queryFn: ({ signal }) => parley.voiceUsage.get({ groupBy: "agent" }, { signal }),
    staleTime: 0
  })
  const ai = useQuery({
    queryKey: keys.aiUsage,
    queryFn: ({ signal }) => parley.aiUsage.get({ groupBy: "agent" }, { signal }),
    staleTime: 0
  })
  const error = organization.error ?? voice.error ?? ai.error
  const again = () => {
    for (const query of [organization, voice, ai]) if (query.error !== null) void query.refetch()
  }
  return (
    <>
      <PageHead title={t("Usage and plan")} />
      <PageBody>
        {error !== null && <ErrorBlock error={error} again={again} />}
        {voice.data === undefined ? (
          error === null && <Skeleton className="h-32" />
        ) : (
          <Card title={t("Calls this month")}>
            <Allowance label={t("Minutes")} used={voice.data.allowance.used} of={voice.data.allowance.minutes} />
            <Facts
              of={[
                [t("Calls"), number(voice.data.totals.calls)],
                [t("Beyond the plan, a minute"), usd(voice.data.allowance.overagePrice)],
                ...(voice.data.allowance.used > voice.data.allowance.minutes
                  ? [
                      [
                        t("Beyond the plan so far"),
                        usd(
                          String(
                            (voice.data.allowance.used - voice.data.allowance.minutes) *
                              Number(voice.data.allowance.overagePrice)
                          )
                        )
                      ] as const
                    ]
                  : [])
              ]}
            />
          </Card>
        )}
        {ai.data === undefined ? (
          error === null && <Skeleton className="h-32" />
        ) : (
          <Card title={t("AI agents this month")}>
            <Allowance label={t("Tokens")} used={ai.data.allowance.used} of={ai.data.allowance.tokens} />
            <Facts
              of={[
                [t("Requests to models"), number(ai.data.totals.requests)],
                ...ai.data.data.map(
                  ({ agentName, tokens }) =>
                    [agentName ?? t("A former agent"), t("{n} tokens", { n: number(tokens) })] as const
                )
              ]}
            />
          </Card>
        )}
        {organization.data === undefined ? (
          error === null && <Skeleton className="h-32" />
        ) : (
          <Plan organization={organization.data} />
        )}
      </PageBody>
    </>
  )
}
