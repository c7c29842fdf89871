/** How much of what the plan includes is used: in numbers, and as a bar. */
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
    <meter
      aria-label={label}
      className="sr-only"
      min={0}
      max={Math.max(of, 1)}
      value={Math.min(used, Math.max(of, 1))}
    />
    <svg
      aria-hidden="true"
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      className="h-2 w-full rounded-full bg-sunken"
    >
      <rect
        width={of === 0 ? 0 : Math.min(100, (used / of) * 100)}
        height="1"
        className={used > of ? "fill-danger" : used > of * 0.8 ? "fill-warn" : "fill-accent"}
      />
    </svg>
  </div>
)
