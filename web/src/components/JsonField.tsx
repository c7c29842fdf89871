/** An object of JSON as text. What is typed counts when it can be read; empty is null. */
import { useState } from "react"
import { t } from "../lib/i18n.ts"
import { type FieldProps, TextArea } from "./Field.tsx"

type Value = Readonly<Record<string, unknown>> | null

export interface JsonFieldProps extends FieldProps {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly rows?: number
}

const written = (value: Value) => (value === null ? "" : JSON.stringify(value, null, 2))

const readObject = (text: string): Value | undefined => {
  if (text.trim() === "") return null
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as Value) : undefined
  } catch {
    // Half-typed: the field says so.
    return undefined
  }
}

export const JsonField = ({ value, onChange, rows = 6, problem, ...rest }: JsonFieldProps) => {
  const [typed, setTyped] = useState<string>()
  const unreadable = typed !== undefined && readObject(typed) === undefined
  return (
    <TextArea
      {...rest}
      rows={rows}
      spellCheck={false}
      dir="ltr"
      className="font-mono text-small"
      value={typed ?? written(value)}
      problem={unreadable ? t("This is not an object of JSON yet.") : problem}
      onChange={(event) => {
        setTyped(event.target.value)
        const next = readObject(event.target.value)
        if (next !== undefined) onChange(next)
      }}
      onBlur={() => {
        if (!unreadable) setTyped(undefined)
      }}
    />
  )
}
