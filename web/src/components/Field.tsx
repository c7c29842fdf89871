/** Fields of forms: a label, the control, and a hint or what is wrong. */
import { Search } from "lucide-react"
import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from "react"
import { cx } from "../lib/classes.ts"
import { t } from "../lib/i18n.ts"
import { useKeys } from "../lib/keyboard.ts"
import { Icon } from "./Icon.tsx"

const control =
  "w-full rounded-control border border-line-strong bg-surface px-2.5 text-ink disabled:opacity-60 aria-invalid:border-danger"

export interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly problem?: string | undefined
  /** Differs from what is saved. */
  readonly changed?: boolean | undefined
}

/** Beside a setting that differs from what is saved. */
export const ChangedMark = () => <span className="text-small font-medium text-warn">{t("Changed")}</span>

/** The label of a control, and what is to be said of it. */
export const Described = ({
  id,
  label,
  hint,
  problem,
  changed = false,
  children
}: FieldProps & { readonly id: string; readonly children: ReactNode }) => (
  <div className="flex flex-col gap-1">
    <div className="flex items-baseline justify-between gap-2">
      <label htmlFor={id} className="text-small font-medium text-ink-2">
        {label}
      </label>
      {changed && <ChangedMark />}
    </div>
    {children}
    {hint !== undefined && (
      <p id={`${id}-hint`} className="text-small text-ink-3">
        {hint}
      </p>
    )}
    {problem !== undefined && (
      <p id={`${id}-problem`} className="text-small text-danger">
        {problem}
      </p>
    )}
  </div>
)

/** What ties a control to its label, its hint and its problem. */
export const described = (id: string, { hint, problem }: FieldProps) => ({
  id,
  "aria-invalid": problem !== undefined,
  "aria-describedby": cx(hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`) || undefined
})

export const Input = ({ label, hint, problem, changed, className, ...rest }: FieldProps & ComponentProps<"input">) => {
  const id = useId()
  return (
    <Described id={id} label={label} hint={hint} problem={problem} changed={changed}>
      <input
        {...described(id, { label, hint, problem })}
        {...rest}
        data-focus={rest.autoFocus}
        className={cx(control, "h-8 pointer-coarse:h-11", changed === true && "border-warn", className)}
      />
    </Described>
  )
}

export const TextArea = ({
  label,
  hint,
  problem,
  changed,
  className,
  ...rest
}: FieldProps & ComponentProps<"textarea">) => {
  const id = useId()
  return (
    <Described id={id} label={label} hint={hint} problem={problem} changed={changed}>
      <textarea
        {...described(id, { label, hint, problem })}
        {...rest}
        className={cx(control, "py-1.5", changed === true && "border-warn", className)}
      />
    </Described>
  )
}

export const Select = ({
  label,
  hint,
  problem,
  changed,
  className,
  options,
  ...rest
}: FieldProps &
  ComponentProps<"select"> & { readonly options: ReadonlyArray<readonly [value: string, label: string]> }) => {
  const id = useId()
  return (
    <Described id={id} label={label} hint={hint} problem={problem} changed={changed}>
      <select
        {...described(id, { label, hint, problem })}
        {...rest}
        className={cx(control, "h-8 pointer-coarse:h-11", changed === true && "border-warn", className)}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Described>
  )
}

/** Told of what is typed once one has paused. */
const typedAfterMs = 200

/** A field to search with, of which the address knows what is searched. `/` leads to it. */
export const SearchInput = ({
  label,
  placeholder = label,
  value,
  onSearch
}: {
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  readonly onSearch: (text: string) => void
}) => {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const field = useRef<HTMLInputElement>(null)
  const told = useRef(onSearch)
  told.current = onSearch
  useKeys({ "/": () => field.current?.focus() })
  // What is searched has changed by another way than this field: a filter was cleared, or one went back.
  if (known !== value) {
    setKnown(value)
    if (value !== typed.trim()) setTyped(value)
  }
  useEffect(() => {
    const wanted = typed.trim()
    if (wanted === value) return
    // Whoever has gone on meanwhile is not brought back, also while the next page is still being fetched and this field is there.
    const page = location.pathname
    const timer = setTimeout(() => {
      if (location.pathname === page) told.current(wanted)
    }, typedAfterMs)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <div className="relative min-w-0 flex-1 basis-40 md:max-w-64">
      <Icon of={Search} className="pointer-events-none absolute inset-y-0 start-2.5 my-auto text-ink-3" />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={200}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur()
        }}
        className={`${searchClass} ps-8`}
      />
    </div>
  )
}

/** How a field to search with looks: its label is for screen readers, because a magnifier stands in it. */
export const searchClass = cx(control, "h-8 border-line pointer-coarse:h-11")
