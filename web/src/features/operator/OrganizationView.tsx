/** One organization: its plan, stage, flags and terms, what it has used, and what operators did to it. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import { ArrowLeft } from "lucide-react"
import { useState } from "react"
import { keys } from "../../api/keys.ts"
import { operator } from "../../api/operator.ts"
import type { OperatedOrganizationDetail } from "../../api/operators/types.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Select } from "../../components/Field.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Loaded } from "../../components/Loaded.tsx"
import { NumberField } from "../../components/NumberField.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { Switch } from "../../components/Switch.tsx"
import { moment, money, number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"
import { Facts } from "../settings/parts/Facts.tsx"
import { Allowance } from "../settings/usage/Allowance.tsx"
import { planNames } from "../settings/usage/words.ts"
import { EventList } from "./Events.tsx"
import { changesIn, draftOf, type OrganizationDraft } from "./organizationDraft.ts"
import { ReasonDialog } from "./ReasonDialog.tsx"
import { flagLabels, stageNames } from "./words.ts"

const flags = ["voiceAgents", "voicePremium"] as const

const ChangeDialog = ({
  organization,
  onClose
}: {
  readonly organization: OperatedOrganizationDetail
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const [before] = useState(() => draftOf(organization))
  const [draft, setDraft] = useState(before)
  const set = (changes: Partial<OrganizationDraft>) => setDraft({ ...draft, ...changes })
  const enterprise = draft.plan === "ENTERPRISE"
  return (
    <ReasonDialog
      title={t("Change {name}", { name: organization.name })}
      action={t("Change the organization")}
      onClose={onClose}
      onConfirm={async (reason) => {
        const changes = changesIn(before, draft)
        const changed = await operator.operatorOrganizations.change(organization.id, { ...changes, reason })
        client.setQueryData(keys.operatedOne(organization.id), changed)
        void client.invalidateQueries({
          queryKey: keys.allOperated,
          predicate: ({ queryKey }) => queryKey[2] === "list"
        })
        void client.invalidateQueries({ queryKey: keys.allInstallationEvents })
        say(t("Saved."))
      }}
    >
      <Select
        label={t("Plan")}
        value={draft.plan}
        options={Object.entries(planNames).map(([id, name]) => [id, t(name)])}
        onChange={(event) => {
          const plan = event.target.value as OrganizationDraft["plan"]
          // What is usual on the plan, until the switch below is used.
          set({ plan, voiceAgents: plan === before.plan ? before.voiceAgents : plan === "PREMIUM" })
        }}
      />
      <Select
        label={t("Stage")}
        hint={t("Organizations in staging get what is new first.")}
        value={draft.stage}
        options={Object.entries(stageNames).map(([id, name]) => [id, t(name)])}
        onChange={(event) => set({ stage: event.target.value as OrganizationDraft["stage"] })}
      />
      <div>
        {flags.map((flag) => (
          <Switch
            key={flag}
            label={t(flagLabels[flag])}
            checked={draft[flag]}
            onChange={(on) => set({ [flag]: on })}
            changed={draft[flag] !== before[flag]}
          />
        ))}
      </div>
      {enterprise && (
        <fieldset className="flex flex-col gap-3">
          <legend className="mb-1 font-semibold">{t("Terms of its own")}</legend>
          <NumberField
            label={t("Minutes of calls a month")}
            min={0}
            max={100_000_000}
            value={draft.minutesPerMonth}
            onChange={(value) => set({ minutesPerMonth: Math.round(value) })}
          />
          <NumberField
            label={t("Price of a further minute in USD")}
            min={0}
            max={1_000}
            step="any"
            value={draft.overageUsd}
            onChange={(value) => set({ overageUsd: value })}
          />
          <NumberField
            label={t("Calls at the same time")}
            min={1}
            max={10_000}
            value={draft.concurrentCalls}
            onChange={(value) => set({ concurrentCalls: Math.round(value) })}
          />
          <NumberField
            label={t("AI tokens a month")}
            min={0}
            max={1_000_000_000_000}
            value={draft.aiTokensPerMonth}
            onChange={(value) => set({ aiTokensPerMonth: Math.round(value) })}
          />
        </fieldset>
      )}
    </ReasonDialog>
  )
}

const View = ({
  organization,
  onChange
}: {
  readonly organization: OperatedOrganizationDetail
  readonly onChange: () => void
}) => {
  const { id, plan, stage, timeZone, limits, own, usage, voiceAgents, createdAt } = organization
  const hasOwn = Object.values(own).some((value) => value !== null)
  return (
    <>
      <Card
        title={t("Plan and flags")}
        beside={
          <Button small onClick={onChange}>
            {t("Change")}
          </Button>
        }
      >
        <Facts
          of={[
            [
              t("Plan"),
              <Chip key="plan" tone="accent">
                {t(planNames[plan])}
              </Chip>
            ],
            [t("Stage"), t(stageNames[stage])],
            ...flags.map((flag) => {
              const { set, inForce } = organization.flags[flag]
              const chip = (
                <Chip key={flag} tone={inForce ? "good" : set ? "warn" : "plain"}>
                  {inForce ? t("on") : set ? t("on, but its gate is closed") : t("off")}
                </Chip>
              )
              return [t(flagLabels[flag]), chip] as const
            }),
            [t("Calls at the same time"), number(limits.concurrentCalls)],
            [t("Agents"), t("{used} of {all}", { used: number(voiceAgents), all: number(limits.voiceAgents) })],
            [t("Beyond the plan, a minute"), money(limits.overageMicrosPerMinute / 1_000_000, "USD")],
            ...(hasOwn ? [[t("Terms"), t("its own")] as const] : []),
            [t("Time zone"), timeZone],
            [t("Since"), moment(createdAt)],
            [
              t("Id"),
              <code key="id" className="text-small">
                {id}
              </code>
            ]
          ]}
        />
      </Card>
      <Card title={t("Used this month")}>
        <Allowance label={t("Minutes")} used={usage.minutes.used} of={usage.minutes.allowed} />
        <Allowance label={t("AI tokens")} used={usage.aiTokens.used} of={usage.aiTokens.allowed} />
        <Facts of={[[t("Calls"), number(usage.calls)]]} />
      </Card>
      <section aria-label={t("Events")} className="rounded-card border border-line bg-surface">
        <h2 className="px-4 pt-4 pb-1 font-semibold md:px-5">{t("What operators did")}</h2>
        <EventList filter={{ organizationId: id }} empty={t("Nothing was changed yet.")} />
      </section>
    </>
  )
}

export const OrganizationView = () => {
  const { id } = useParams({ from: "/operator-frame/operator/organizations/$id" })
  const [changing, setChanging] = useState(false)
  const organization = useQuery({
    queryKey: keys.operatedOne(id),
    queryFn: ({ signal }) => operator.operatorOrganizations.get(id, { signal }),
    staleTime: 0
  })
  return (
    <>
      <PageHead title={organization.data?.name ?? t("Organization")} />
      <PageBody>
        <Link
          to="/operator/organizations"
          className="inline-flex items-center gap-1.5 self-start text-small text-ink-2 pointer-coarse:min-h-11"
        >
          <Icon of={ArrowLeft} size={14} className="rtl:-scale-x-100" /> {t("All organizations")}
        </Link>
        <Loaded query={organization}>
          {(found) => <View organization={found} onChange={() => setChanging(true)} />}
        </Loaded>
      </PageBody>
      {changing && organization.data !== undefined && (
        <ChangeDialog organization={organization.data} onClose={() => setChanging(false)} />
      )}
    </>
  )
}
