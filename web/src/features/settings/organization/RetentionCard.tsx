/** How long what is kept, and what the next run would remove. */
import type { Organization, Retention } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { NumberField } from "../../../components/NumberField.tsx"
import { Switch } from "../../../components/Switch.tsx"
import { number } from "../../../lib/format.ts"
import { message, t } from "../../../lib/i18n.ts"
import { FormCard } from "./FormCard.tsx"

const mostDays = 3_650

const periods = [
  ["transcriptDays", message("Transcripts, days")],
  ["recordingDays", message("Recordings, days")],
  ["toolCallDays", message("Runs of tools, days")]
] as const

const removed = [
  ["transcripts", message("Transcripts")],
  ["recordings", message("Recordings")],
  ["toolCalls", message("Runs of tools")],
  ["messages", message("Messages")]
] as const

export const RetentionCard = ({ saved, plan }: { readonly saved: Retention; readonly plan: Organization["plan"] }) => {
  const client = useQueryClient()
  const [policy, setPolicy] = useState(saved.policy)
  const within = (days: number | null) => days === null || (days >= 1 && days <= mostDays)
  const mayChange = plan === "ENTERPRISE"
  const counts = removed.filter(([name]) => saved.wouldRemove[name] > 0)
  return (
    <FormCard
      title={t("How long data is kept")}
      changed={JSON.stringify(policy) !== JSON.stringify(saved.policy)}
      valid={periods.every(([name]) => within(policy[name])) && within(policy.messageDays)}
      onUndo={() => setPolicy(saved.policy)}
      save={async () => {
        client.setQueryData(keys.retention, await parley.retention.set(policy))
      }}
    >
      {!mayChange && <p className="text-ink-3">{t("The Enterprise plan lets you change these periods.")}</p>}
      <fieldset disabled={!mayChange} className="flex flex-col gap-3">
        <div className="grid gap-3 md:grid-cols-3">
          {periods.map(([name, label]) => (
            <NumberField
              key={name}
              label={t(label)}
              min={1}
              max={mostDays}
              value={policy[name]}
              changed={policy[name] !== saved.policy[name]}
              onChange={(days) => setPolicy({ ...policy, [name]: days })}
            />
          ))}
        </div>
        <Switch
          label={t("Messages are removed, too")}
          detail={t("otherwise they are kept")}
          checked={policy.messageDays !== null}
          disabled={!mayChange}
          onChange={(on) => setPolicy({ ...policy, messageDays: on ? (saved.policy.messageDays ?? 730) : null })}
        />
        {policy.messageDays !== null && (
          <NumberField
            label={t("Messages, days")}
            min={1}
            max={mostDays}
            value={policy.messageDays}
            onChange={(messageDays) => setPolicy({ ...policy, messageDays })}
          />
        )}
      </fieldset>
      <p className="text-small text-ink-3">
        {counts.length === 0
          ? t("The next daily run would remove none of these.")
          : t("The next daily run would remove: {what}", {
              what: counts.map(([name, label]) => `${t(label)} ${number(saved.wouldRemove[name])}`).join(", ")
            })}
      </p>
    </FormCard>
  )
}
