/** All organizations of the installation, by name. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"
import { operator } from "../../api/operator.ts"
import type { OperatedOrganization } from "../../api/operators/types.ts"
import { Chip } from "../../components/Chip.tsx"
import { SearchInput } from "../../components/Field.tsx"
import { FilteredList } from "../../components/FilteredList.tsx"
import { PageHead } from "../../components/Page.tsx"
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { FilterBar, FilterSelect } from "../settings/audit/FilterBar.tsx"
import { planNames } from "../settings/usage/words.ts"
import { flagLabels, stageNames } from "./words.ts"

const flagsOf = ({ flags }: OperatedOrganization) =>
  (["voiceAgents", "voicePremium"] as const).filter((flag) => flags[flag].set).map((flag) => ({ flag, ...flags[flag] }))

const Row = ({ organization }: { readonly organization: OperatedOrganization }) => {
  const { id, name, plan, stage } = organization
  return (
    <li className="not-last:border-b not-last:border-line">
      <Link
        to="/operator/organizations/$id"
        params={{ id }}
        className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 hover:bg-hover focus-visible:outline-offset-[-2px] md:px-5"
      >
        <span className="min-w-0 flex-1 basis-56">
          <bdi className="block truncate font-semibold">{name}</bdi>
          <span className="block truncate font-mono text-small text-ink-3">{id}</span>
        </span>
        {stage === "staging" && <Chip tone="contact">{t(stageNames[stage])}</Chip>}
        {flagsOf(organization).map(({ flag, inForce }) => (
          <Chip key={flag} tone={inForce ? "good" : "warn"}>
            {inForce ? t(flagLabels[flag]) : t("{flag}: gate closed", { flag: t(flagLabels[flag]) })}
          </Chip>
        ))}
        <Chip tone="accent">{t(planNames[plan])}</Chip>
      </Link>
    </li>
  )
}

export const OrganizationList = () => {
  const { search, plan, stage } = useSearch({ from: "/operator-frame/operator/organizations" })
  const navigate = useNavigate()
  const filter = {
    ...(search === undefined ? {} : { search }),
    ...(plan === undefined ? {} : { plan }),
    ...(stage === undefined ? {} : { stage })
  }
  const list = useNumbered({
    queryKey: keys.operated(filter),
    read: (at, signal) => operator.operatorOrganizations.list({ ...at, ...filter }, { signal })
  })
  const set = (changes: { readonly [Name in "search" | "plan" | "stage"]?: string | undefined }) => {
    const next = Object.entries({ ...filter, ...changes }).filter(([, value]) => value !== undefined)
    void navigate({ to: "/operator/organizations", search: Object.fromEntries(next), replace: true })
  }
  const filtered = Object.keys(filter).length > 0
  return (
    <>
      <PageHead
        title={t("Organizations")}
        beside={list.total !== undefined && <span className="num text-small text-ink-3">{number(list.total)}</span>}
      />
      <FilterBar>
        <SearchInput
          label={t("Name or id")}
          value={search ?? ""}
          onSearch={(text) => set({ search: text === "" ? undefined : text })}
        />
        <FilterSelect
          label={t("Plan")}
          all={t("All plans")}
          value={plan}
          options={Object.entries(planNames).map(([id, name]) => [id, t(name)])}
          onChoose={(next) => set({ plan: next })}
        />
        <FilterSelect
          label={t("Stage")}
          all={t("All stages")}
          value={stage}
          options={Object.entries(stageNames).map(([id, name]) => [id, t(name)])}
          onChoose={(next) => set({ stage: next })}
        />
      </FilterBar>
      <FilteredList
        label={t("Organizations")}
        list={list}
        filtered={filtered}
        noneMatches={t("No organization matches.")}
        none={t("There is no organization yet.")}
        onClear={() => set({ search: undefined, plan: undefined, stage: undefined })}
      >
        {(organization) => <Row key={organization.id} organization={organization} />}
      </FilteredList>
    </>
  )
}
