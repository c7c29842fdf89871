/** The name of something new or changed: the first field of its form. */
import type { ComponentProps } from "react"
import { t } from "../lib/i18n.ts"
import { type FieldProps, Input } from "./Field.tsx"

export const NameInput = ({
  name,
  onName,
  ...more
}: {
  readonly name: string
  readonly onName: (name: string) => void
} & Partial<FieldProps> &
  Omit<ComponentProps<"input">, "name">) => (
  <Input
    label={t("Name")}
    autoFocus
    required
    maxLength={120}
    dir="auto"
    value={name}
    onChange={(event) => onName(event.target.value)}
    {...more}
  />
)
