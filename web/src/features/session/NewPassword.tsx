/** A new password, which its person can look at. What the service says about it stands below. */
import { useState } from "react"
import { Input } from "../../components/Field.tsx"
import { t } from "../../lib/i18n.ts"

/** The service asks for so many; it also refuses passwords that are guessed first. */
export const shortestPassword = 10

export const NewPassword = ({
  label,
  value,
  onChange,
  problem
}: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly problem?: string | undefined
}) => {
  const [shown, setShown] = useState(false)
  return (
    <div className="flex flex-col gap-1.5">
      <Input
        label={label}
        name="new-password"
        type={shown ? "text" : "password"}
        autoComplete="new-password"
        required
        minLength={shortestPassword}
        maxLength={1_000}
        hint={t("At least 10 characters. Several words that do not belong together are best.")}
        problem={problem}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <label className="flex min-h-6 items-center gap-2 text-small text-ink-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={shown}
          onChange={(event) => setShown(event.target.checked)}
        />
        {t("Show the password")}
      </label>
    </div>
  )
}
