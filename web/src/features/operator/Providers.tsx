/** How the providers do, as all nodes see them together. */
import type { OperatedProvider } from "../../api/operators/types.ts"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Loaded } from "../../components/Loaded.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { Empty } from "../../components/States.tsx"
import { moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useProviders } from "./useLive.ts"
import { providerStates, serviceNames } from "./words.ts"

const storyOf = ({ state, nodes, failing, since, lastFailedAt }: OperatedProvider): string => {
  if (state !== "works" && since !== null)
    return t("since {when}, at {failing} of {all} nodes", { when: moment(since), failing, all: nodes })
  return lastFailedAt === null
    ? t("{n, plural, one {used by # node} other {used by # nodes}}", { n: nodes })
    : t("failed last {when}", { when: moment(lastFailedAt) })
}

export const ProviderRows = ({ providers }: { readonly providers: ReadonlyArray<OperatedProvider> }) => (
  <ul aria-label={t("Providers")} className="flex flex-col">
    {providers.map((provider) => {
      const { service, name, state } = provider
      const { label, tone } = providerStates[state]
      return (
        <li
          key={`${service}/${name}`}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 not-last:border-b not-last:border-line"
        >
          <span className="min-w-0 flex-1 basis-48">
            <bdi className="block font-semibold">{name}</bdi>
            <span className="block text-small text-ink-3">{t(serviceNames[service])}</span>
          </span>
          <span className="num text-small text-ink-3">{storyOf(provider)}</span>
          <Chip tone={tone}>{t(label)}</Chip>
        </li>
      )
    })}
  </ul>
)

export const Providers = () => {
  const providers = useProviders()
  return (
    <>
      <PageHead title={t("Providers")} />
      <PageBody wide>
        <Card title={t("Providers that nodes use")}>
          <Loaded query={providers}>
            {(all) =>
              all.length === 0 ? (
                <Empty title={t("No node has told of a provider yet.")}>{t("Each does every five seconds.")}</Empty>
              ) : (
                <ProviderRows providers={all} />
              )
            }
          </Loaded>
          <p className="text-small text-ink-3">
            {t(
              "A provider has trouble at a node while its last requests there have failed. Organizations that use one are told after 30 seconds."
            )}
          </p>
        </Card>
      </PageBody>
    </>
  )
}
