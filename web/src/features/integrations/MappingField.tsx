/** Which of their fields takes each of ours. Their names come from the service's own schema where it has one. */
import type { IntegrationRemoteField } from "@parley/client"
import { Input, Select } from "../../components/Field.tsx"
import { message, t } from "../../lib/i18n.ts"

const ours: ReadonlyArray<readonly [field: string, label: string]> = [
  ["id", message("Our id")],
  ["phone", message("Phone")],
  ["name", message("Name")],
  ["email", message("E-mail")],
  ["tags", message("Tags")],
  ["optedIn", message("Wants messages")]
]

export type Mapping = Readonly<Record<string, string>>

export const MappingField = ({
  label,
  help,
  value,
  theirs,
  onChange
}: {
  readonly label: string
  readonly help: string
  readonly value: Mapping
  readonly theirs: ReadonlyArray<IntegrationRemoteField>
  readonly onChange: (value: Mapping) => void
}) => {
  const writable = theirs.filter((field) => field.writable)
  const set = (field: string, name: string) => {
    const { [field]: _, ...rest } = value
    onChange(name === "" ? rest : { ...rest, [field]: name })
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-small font-medium text-ink-2">{label}</legend>
      <p lang="en" className="text-small text-ink-3">
        {help}
      </p>
      <div className="grid gap-2 md:grid-cols-2">
        {ours.map(([field, name]) => {
          const chosen = value[field] ?? ""
          return writable.length === 0 ? (
            <Input
              key={field}
              label={t(name)}
              maxLength={200}
              placeholder={t("As it is by itself")}
              value={chosen}
              onChange={(event) => set(field, event.target.value.trim())}
            />
          ) : (
            <Select
              key={field}
              label={t(name)}
              value={chosen}
              options={[
                ["", t("As it is by itself")],
                ...(chosen === "" || writable.some((one) => one.name === chosen) ? [] : [[chosen, chosen] as const]),
                ...writable.map((one) => [one.name, `${one.label} (${one.name})`] as const)
              ]}
              onChange={(event) => set(field, event.target.value)}
            />
          )
        })}
      </div>
    </fieldset>
  )
}
