/** A choice among a few, all of which are seen. */
import { cx } from "../lib/classes.ts"
import { Kbd } from "./Kbd.tsx"

export interface Segment<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly keys?: string
}

export const Segmented = <Value extends string>({
  label,
  value,
  options,
  onChange
}: {
  readonly label: string
  readonly value: Value
  readonly options: ReadonlyArray<Segment<Value>>
  readonly onChange: (value: Value) => void
}) => (
  <fieldset className="inline-flex max-w-full gap-0.5 overflow-x-auto rounded-control border border-line bg-sunken p-0.5">
    <legend className="sr-only">{label}</legend>
    {options.map((option) => (
      <button
        key={option.value}
        type="button"
        aria-pressed={option.value === value}
        onClick={() => onChange(option.value)}
        className={cx(
          "flex min-h-6 items-center gap-1.5 rounded-[5px] px-2.5 text-small font-medium whitespace-nowrap pointer-coarse:min-h-10",
          option.value === value ? "bg-raised text-ink shadow-low" : "text-ink-2 hover:text-ink"
        )}
      >
        {option.label}
        {option.keys && <Kbd>{option.keys}</Kbd>}
      </button>
    ))}
  </fieldset>
)
