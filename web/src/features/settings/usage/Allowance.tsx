/** How much of what the plan includes is used: in numbers, and as a bar. */
import { AmountBar } from "../../../components/AmountBar.tsx"
import { number, percent } from "../../../lib/format.ts"
import { t } from "../../../lib/i18n.ts"

export const Allowance = ({
  label,
  used,
  of
}: {
  readonly label: string
  readonly used: number
  readonly of: number
}) => (
  <div>
    <p className="mb-1 flex flex-wrap items-baseline justify-between gap-2">
      <span className="font-medium">{label}</span>
      <span className="num text-ink-2">
        {t("{used} of {all}", { used: number(used), all: number(of) })}
        {of > 0 && <span className="text-ink-3"> · {percent(used / of)}</span>}
      </span>
    </p>
    <AmountBar label={label} used={used} of={of} limited />
  </div>
)
