/** The filters above a log. What is chosen is in the address. */
import type { ReactNode } from "react"
import { t } from "../../../lib/i18n.ts"

const control = "h-8 max-w-48 rounded-control border border-line bg-surface px-2 pointer-coarse:h-11"

export const FilterBar = ({ children }: { readonly children: ReactNode }) => (
  <search
    aria-label={t("Filters")}
    className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-surface px-4 py-2 md:px-5"
  >
    {children}
  </search>
)

export const FilterSelect = ({
  label,
  value,
  all,
  options,
  onChoose
}: {
  readonly label: string
  readonly value: string | undefined
  /** What stands for no filter. */
  readonly all: string
  readonly options: ReadonlyArray<readonly [value: string, label: string]>
  readonly onChoose: (value: string | undefined) => void
}) => (
  <select
    aria-label={label}
    value={value ?? ""}
    onChange={(event) => onChoose(event.target.value === "" ? undefined : event.target.value)}
    className={control}
  >
    <option value="">{all}</option>
    {options.map(([id, name]) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </select>
)

export const FilterDay = ({
  label,
  value,
  onChoose
}: {
  readonly label: string
  readonly value: string | undefined
  readonly onChoose: (value: string | undefined) => void
}) => (
  <label className="flex items-center gap-1.5 text-small text-ink-3">
    {label}
    <input
      type="date"
      value={value ?? ""}
      onChange={(event) => onChoose(event.target.value === "" ? undefined : event.target.value)}
      className={`${control} text-ink`}
    />
  </label>
)
