/** A list of short texts: Enter or a comma adds what is typed, Backspace in the empty field takes the last one away. */
import { X } from "lucide-react"
import { useId, useState } from "react"
import { cx } from "../lib/classes.ts"
import { t } from "../lib/i18n.ts"
import { Described, described } from "./Field.tsx"
import { Icon } from "./Icon.tsx"

export interface TagInputProps {
  readonly label: string
  readonly hint?: string
  readonly values: ReadonlyArray<string>
  readonly onChange: (values: ReadonlyArray<string>) => void
  readonly most: number
  readonly maxLength: number
  readonly changed?: boolean
  readonly problem?: string | undefined
}

export const TagInput = ({
  label,
  hint,
  values,
  onChange,
  most,
  maxLength,
  changed = false,
  problem
}: TagInputProps) => {
  const id = useId()
  const [typed, setTyped] = useState("")
  const add = () => {
    const next = typed.trim()
    setTyped("")
    if (next !== "" && !values.includes(next) && values.length < most) onChange([...values, next])
  }
  return (
    <Described id={id} label={label} hint={hint} problem={problem} changed={changed}>
      <div
        className={cx(
          "flex min-h-8 flex-wrap items-center gap-1 rounded-control border bg-surface p-1",
          problem !== undefined ? "border-danger" : changed ? "border-warn" : "border-line-strong"
        )}
      >
        {values.map((value) => (
          <span
            key={value}
            className="inline-flex max-w-full items-center gap-1 rounded-[10px] bg-sunken ps-2 text-small"
          >
            <span className="truncate" dir="auto">
              {value}
            </span>
            <button
              type="button"
              aria-label={t("Remove {name}", { name: value })}
              onClick={() => onChange(values.filter((one) => one !== value))}
              className="grid size-6 place-items-center rounded-full text-ink-3 hover:text-ink disabled:hidden pointer-coarse:size-11"
            >
              <Icon of={X} size={12} />
            </button>
          </span>
        ))}
        <input
          {...described(id, { label, hint, problem })}
          value={typed}
          maxLength={maxLength}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === "Enter" || event.key === ",") {
              event.preventDefault()
              add()
            } else if (event.key === "Backspace" && typed === "") onChange(values.slice(0, -1))
          }}
          className="h-6 min-w-24 flex-1 bg-transparent px-1.5 outline-offset-4"
        />
      </div>
    </Described>
  )
}
