/** A switch with three looks: off, on, and asked for but without effect, striped, with the reason under it. */
import { type ReactNode, useId } from "react"
import { cx } from "../lib/classes.ts"
import { t } from "../lib/i18n.ts"
import { Chip } from "./Chip.tsx"
import { ChangedMark } from "./Field.tsx"

export interface SwitchProps {
  readonly label: string
  readonly detail?: ReactNode
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  /** Why it has no effect although it is on. The switch stays on: it comes back by itself. */
  readonly without?: ReactNode
  readonly changed?: boolean
  readonly disabled?: boolean
}

export const Switch = ({
  label,
  detail,
  checked,
  onChange,
  without,
  changed = false,
  disabled = false
}: SwitchProps) => {
  const id = useId()
  const idle = checked && without !== undefined
  return (
    <div className="py-2.5 not-last:border-b not-last:border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <button
          type="button"
          role="switch"
          aria-checked={checked}
          aria-labelledby={id}
          aria-describedby={idle ? `${id}-why` : undefined}
          disabled={disabled}
          onClick={() => onChange(!checked)}
          className="-m-3 inline-flex shrink-0 p-3 disabled:opacity-60"
        >
          <span
            aria-hidden="true"
            className={cx(
              "flex h-[18px] w-[30px] items-center rounded-full p-0.5",
              idle ? "striped justify-end" : checked ? "justify-end bg-accent" : "bg-line-strong"
            )}
          >
            <span className="size-3.5 rounded-full bg-raised" />
          </span>
        </button>
        <span className="min-w-0 flex-1">
          <span id={id} className="font-medium">
            {label}
          </span>
          {detail !== undefined && <span className="text-ink-3"> {detail}</span>}
        </span>
        {changed && <ChangedMark />}
        <Chip tone={idle ? "warn" : checked ? "good" : "plain"}>
          {idle ? t("off in calls") : checked ? t("on") : t("off")}
        </Chip>
      </div>
      {idle && (
        <p id={`${id}-why`} role="status" className="mt-2 rounded-lg bg-warn-soft px-3 py-2 text-small text-warn">
          <b className="font-semibold">{t("Asked for, but off in calls.")}</b> {without}
        </p>
      )}
    </div>
  )
}
