import { Input } from "../../components/Field.tsx"
import type { Filled, Gap } from "./template.ts"

/** The gaps of a template as fields. */
export const GapFields = ({
  gaps,
  values,
  focus = false,
  onChange
}: {
  readonly gaps: ReadonlyArray<Gap>
  readonly values: Filled
  /** Whether the first field has the focus. */
  readonly focus?: boolean
  readonly onChange: (values: Filled) => void
}) =>
  gaps.map(({ key, label }, index) => (
    <Input
      key={key}
      label={label}
      autoFocus={focus && index === 0}
      value={values[key] ?? ""}
      maxLength={1_024}
      dir="auto"
      required
      onChange={(event) => onChange({ ...values, [key]: event.target.value })}
    />
  ))
