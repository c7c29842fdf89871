/** How often a source is read again by itself. */
import { Select } from "../../components/Field.tsx"
import { message, t } from "../../lib/i18n.ts"

const spans: ReadonlyArray<readonly [hours: number, name: string]> = [
  [1, message("every hour")],
  [6, message("every 6 hours")],
  [24, message("every day")],
  [168, message("every week")]
]

/** How often, in words; null: only when somebody asks. */
export const oftenText = (hours: number | null): string => {
  if (hours === null) return t("only when asked to")
  const known = spans.find(([span]) => span === hours)
  return known === undefined ? t("every {n} hours", { n: hours }) : t(known[1])
}

export const SyncEvery = ({
  value,
  onChange
}: {
  readonly value: number | null
  readonly onChange: (hours: number | null) => void
}) => {
  const hours = spans.map(([span]) => span)
  const offered = value === null || hours.includes(value) ? hours : [...hours, value]
  return (
    <Select
      label={t("Is read again")}
      value={value === null ? "" : String(value)}
      options={[["", oftenText(null)], ...offered.map((span) => [String(span), oftenText(span)] as const)]}
      onChange={(event) => onChange(event.target.value === "" ? null : Number(event.target.value))}
    />
  )
}
