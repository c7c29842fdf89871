/** Headers of requests as rows: a name and a value, which is a secret. */
import { Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { t } from "../lib/i18n.ts"
import { Button } from "./Button.tsx"
import { Input } from "./Field.tsx"

type Headers = Readonly<Record<string, string>>

export const HeaderRows = ({
  headers,
  onChange
}: {
  readonly headers: Headers
  readonly onChange: (headers: Headers) => void
}) => {
  // Two rows may have one name while it is typed; the last of them counts.
  const [rows, setRows] = useState<ReadonlyArray<readonly [string, string]>>(() => Object.entries(headers))
  const change = (next: ReadonlyArray<readonly [string, string]>) => {
    setRows(next)
    onChange(Object.fromEntries(next.filter(([name]) => name.trim() !== "")))
  }
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-small font-medium text-ink-2">{t("Headers")}</legend>
      {rows.map(([name, value], at) => (
        <div key={at} className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <Input
              label={t("Name")}
              value={name}
              onChange={(event) => change(rows.with(at, [event.target.value, value]))}
            />
          </div>
          <div className="min-w-0 flex-[2]">
            <Input
              label={t("Value")}
              autoComplete="off"
              value={value}
              onChange={(event) => change(rows.with(at, [name, event.target.value]))}
            />
          </div>
          <Button
            tone="quiet"
            icon={Trash2}
            label={t("Remove {name}", { name })}
            onClick={() => change(rows.toSpliced(at, 1))}
          />
        </div>
      ))}
      <p className="text-small text-ink-3">
        {t("Values are secrets: they are stored encrypted and not shown again. They hold for this address only.")}
      </p>
      <Button small tone="quiet" icon={Plus} className="self-start" onClick={() => change([...rows, ["", ""]])}>
        {t("Add a header")}
      </Button>
    </fieldset>
  )
}
