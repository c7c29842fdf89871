/** The organization's name and time zone. */
import type { Organization } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Input } from "../../../components/Field.tsx"
import { t } from "../../../lib/i18n.ts"
import { timeZones } from "../../../lib/timeZones.ts"
import { FormCard } from "./FormCard.tsx"

export const NameAndZone = ({ saved }: { readonly saved: Organization }) => {
  const client = useQueryClient()
  const [name, setName] = useState(saved.name)
  const [timeZone, setTimeZone] = useState(saved.timeZone)
  return (
    <FormCard
      title={t("Name and time zone")}
      changed={name.trim() !== saved.name || timeZone !== saved.timeZone}
      valid={name.trim() !== ""}
      onUndo={() => {
        setName(saved.name)
        setTimeZone(saved.timeZone)
      }}
      save={async () => {
        client.setQueryData(keys.organization, await parley.organization.update({ name: name.trim(), timeZone }))
        await client.invalidateQueries({ queryKey: keys.session })
        await client.invalidateQueries({ queryKey: keys.businessHours })
      }}
    >
      <Input
        label={t("Name")}
        required
        maxLength={200}
        dir="auto"
        value={name}
        changed={name.trim() !== saved.name}
        onChange={(event) => setName(event.target.value)}
      />
      <Input
        label={t("Time zone")}
        hint={t("Of business hours, due times and figures. As in Asia/Kolkata or America/New_York.")}
        list="organization-time-zones"
        required
        value={timeZone}
        changed={timeZone !== saved.timeZone}
        onChange={(event) => setTimeZone(event.target.value)}
      />
      <datalist id="organization-time-zones">
        {timeZones().map(([zone]) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </FormCard>
  )
}
