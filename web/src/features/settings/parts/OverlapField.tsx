/** How long the old secret is good beside the new one. */
import { Select } from "../../../components/Field.tsx"
import { message, t } from "../../../lib/i18n.ts"

const spans: ReadonlyArray<readonly [seconds: number, name: string]> = [
  [0, message("at once")],
  [3_600, message("in an hour")],
  [86_400, message("in a day")],
  [604_800, message("in a week")]
]

export const OverlapField = ({
  label,
  value,
  onChange
}: {
  readonly label: string
  readonly value: number
  readonly onChange: (seconds: number) => void
}) => (
  <Select
    label={label}
    value={String(value)}
    options={spans.map(([seconds, name]) => [String(seconds), t(name)])}
    onChange={(event) => onChange(Number(event.target.value))}
  />
)
