/** What holds for the whole organization. Each card is saved by itself. */
import { type UseQueryResult, useQuery } from "@tanstack/react-query"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { useOrganization } from "../../../api/organization.ts"
import { Loaded } from "../../../components/Loaded.tsx"
import { PageBody, PageHead } from "../../../components/Page.tsx"
import { Skeleton } from "../../../components/States.tsx"
import { t } from "../../../lib/i18n.ts"
import { AnswerTimes } from "./AnswerTimes.tsx"
import { DisclosureCard } from "./DisclosureCard.tsx"
import { NameAndZone } from "./NameAndZone.tsx"
import { PushCard } from "./PushCard.tsx"
import { RetentionCard } from "./RetentionCard.tsx"

/** A card as soon as it is known what is saved. It begins anew when somebody else has saved something. */
const loaded = <A,>(query: UseQueryResult<A>, card: (saved: A, key: string) => React.ReactNode) => (
  <Loaded query={query} coming={<Skeleton className="h-32" />}>
    {(saved) => card(saved, JSON.stringify(saved))}
  </Loaded>
)

export const OrganizationSettings = () => {
  const organization = useOrganization()
  const sla = useQuery({ queryKey: keys.slaPolicy, queryFn: ({ signal }) => parley.slaPolicy.get({ signal }) })
  const retention = useQuery({ queryKey: keys.retention, queryFn: ({ signal }) => parley.retention.get({ signal }) })
  const disclosure = useQuery({ queryKey: keys.disclosure, queryFn: ({ signal }) => parley.disclosure.get({ signal }) })
  const push = useQuery({ queryKey: keys.pushSettings, queryFn: ({ signal }) => parley.pushSettings.get({ signal }) })
  return (
    <>
      <PageHead title={t("Organization")} />
      <PageBody>
        {loaded(organization, (saved, key) => (
          <NameAndZone key={key} saved={saved} />
        ))}
        {loaded(sla, (saved, key) => (
          <AnswerTimes key={key} saved={saved.slaPolicy} />
        ))}
        {loaded(disclosure, (saved, key) => (
          <DisclosureCard key={key} saved={saved} />
        ))}
        {loaded(retention, (saved, key) =>
          organization.data === undefined ? null : (
            <RetentionCard key={key} saved={saved} plan={organization.data.plan} />
          )
        )}
        {loaded(push, ({ preview }) => (
          <PushCard preview={preview} />
        ))}
      </PageBody>
    </>
  )
}
