/** How soon conversations are to be answered and resolved. */
import type { SlaPolicy } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { NumberField } from "../../../components/NumberField.tsx"
import { Switch } from "../../../components/Switch.tsx"
import { t } from "../../../lib/i18n.ts"
import { FormCard } from "./FormCard.tsx"

type Policy = NonNullable<SlaPolicy["slaPolicy"]>

const mostMinutes = 527_040
const usual: Policy = { firstResponseMinutes: 60, resolutionMinutes: null, businessHoursOnly: false }

const Minutes = ({
  label,
  value,
  otherwise,
  onChange
}: {
  readonly label: string
  readonly value: number | null
  /** What it begins with when it is switched on. */
  readonly otherwise: number
  readonly onChange: (value: number | null) => void
}) => (
  <>
    <Switch label={label} checked={value !== null} onChange={(on) => onChange(on ? otherwise : null)} />
    {value !== null && (
      <NumberField
        label={t("{name}, minutes", { name: label })}
        min={1}
        max={mostMinutes}
        value={value}
        onChange={onChange}
      />
    )}
  </>
)

export const AnswerTimes = ({ saved }: { readonly saved: SlaPolicy["slaPolicy"] }) => {
  const client = useQueryClient()
  const [policy, setPolicy] = useState(saved)
  const within = (value: number | null) => value === null || (value >= 1 && value <= mostMinutes)
  return (
    <FormCard
      title={t("Answer in time")}
      changed={JSON.stringify(policy) !== JSON.stringify(saved)}
      valid={policy === null || (within(policy.firstResponseMinutes) && within(policy.resolutionMinutes))}
      onUndo={() => setPolicy(saved)}
      save={async () => {
        client.setQueryData(keys.slaPolicy, await parley.slaPolicy.set({ slaPolicy: policy }))
      }}
    >
      <Switch
        label={t("Conversations have due times")}
        detail={t("from the contact's first message; those that run already keep theirs")}
        checked={policy !== null}
        onChange={(on) => setPolicy(on ? (saved ?? usual) : null)}
      />
      {policy !== null && (
        <>
          <Minutes
            label={t("First answer")}
            otherwise={60}
            value={policy.firstResponseMinutes}
            onChange={(firstResponseMinutes) => setPolicy({ ...policy, firstResponseMinutes })}
          />
          <Minutes
            label={t("Resolution")}
            otherwise={480}
            value={policy.resolutionMinutes}
            onChange={(resolutionMinutes) => setPolicy({ ...policy, resolutionMinutes })}
          />
          <Switch
            label={t("Only business hours count")}
            checked={policy.businessHoursOnly}
            onChange={(businessHoursOnly) => setPolicy({ ...policy, businessHoursOnly })}
          />
        </>
      )}
    </FormCard>
  )
}
