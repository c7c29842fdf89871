/** Something to tick, with a sentence of what it does. */
import type { ReactNode } from "react"

export const Checkbox = ({
  label,
  detail,
  checked,
  disabled = false,
  onChange
}: {
  readonly label: ReactNode
  readonly detail?: ReactNode
  readonly checked: boolean
  readonly disabled?: boolean
  readonly onChange: (checked: boolean) => void
}) => (
  <label className="flex min-h-7 items-start gap-2 py-1 pointer-coarse:min-h-11 pointer-coarse:items-center">
    <input
      type="checkbox"
      className="mt-0.5 size-4 shrink-0 accent-accent"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span className="min-w-0">
      {label}
      {detail !== undefined && <span className="block text-small text-ink-3">{detail}</span>}
    </span>
  </label>
)
