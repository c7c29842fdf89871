/** A number within bounds. What is typed counts when it is a number; the bounds are those of the service. */
import { type ComponentProps, useState } from "react"
import { t } from "../lib/i18n.ts"
import { Input } from "./Field.tsx"

export interface NumberFieldProps
  extends Omit<ComponentProps<typeof Input>, "value" | "onChange" | "min" | "max" | "type"> {
  readonly value: number
  readonly onChange: (value: number) => void
  readonly min: number
  readonly max: number
}

export const NumberField = ({ value, onChange, min, max, problem, hint, ...rest }: NumberFieldProps) => {
  const [typed, setTyped] = useState<string>()
  const shown = typed ?? String(value)
  const outside = value < min || value > max || shown.trim() === ""
  return (
    <Input
      {...rest}
      type="number"
      inputMode="decimal"
      min={min}
      max={max}
      value={shown}
      hint={hint}
      problem={problem ?? (outside ? t("From {min} to {max}.", { min, max }) : undefined)}
      onChange={(event) => {
        setTyped(event.target.value)
        const next = event.target.valueAsNumber
        if (Number.isFinite(next)) onChange(next)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
