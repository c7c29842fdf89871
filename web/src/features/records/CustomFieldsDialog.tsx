/** The fields that an organization defines for a module. All are saved together; a field that is taken away keeps its values, which are shown no more. */
import type { CustomFieldsField } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input, Select } from "../../components/Field.tsx"
import { Problem } from "../../components/States.tsx"
import { TagInput } from "../../components/TagInput.tsx"
import { message, t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import type { Module } from "./modules.ts"

const types: ReadonlyArray<readonly [CustomFieldsField["type"], string]> = [
  ["text", message("Text")],
  ["number", message("Number")],
  ["boolean", message("Yes or no")],
  ["date", message("Date")],
  ["choice", message("Choice")]
]

/** A key of the interface for a label: `Customer since` is `customerSince`. */
const keyFor = (label: string, taken: ReadonlyArray<string>): string => {
  const words = label.normalize("NFKD").match(/[a-zA-Z0-9]+/g) ?? []
  const [first = "field", ...rest] = words.map((word) => word.toLowerCase())
  const joined = [first, ...rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))].join("").slice(0, 36)
  const base = /^[a-z]/.test(joined) ? joined : `field${joined}`.slice(0, 36)
  let key = base
  for (let n = 2; taken.includes(key); n++) key = `${base}${n}`
  return key
}

/** A field of the form. A new one has no key before it is saved. */
interface Row {
  readonly key?: string
  readonly label: string
  readonly type: CustomFieldsField["type"]
  readonly choices: ReadonlyArray<string>
}

export const CustomFieldsDialog = ({
  module,
  fields,
  onClose
}: {
  readonly module: Module
  readonly fields: ReadonlyArray<CustomFieldsField>
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const [rows, setRows] = useState<ReadonlyArray<Row>>(() =>
    fields.map(({ key, label, type, choices = [] }) => ({ key, label, type, choices }))
  )
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const taken = rows.flatMap(({ key }) => (key === undefined ? [] : [key]))
    const named = rows.map(({ key: known, label, type, choices }) => {
      const key = known ?? keyFor(label, taken)
      taken.push(key)
      return { key, label: label.trim(), type, ...(type === "choice" ? { choices } : {}) }
    })
    const saved = await parley.customFields.define({ module, fields: named })
    client.setQueryData(keys.customFields(module), saved.fields)
    onClose()
    say(t("Saved."))
  })
  const set = (at: number, changes: Partial<Row>) => {
    clear()
    setRows(rows.with(at, { ...rows[at], ...changes } as Row))
  }
  return (
    <Dialog title={t("Fields of your own")} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        {rows.length === 0 && <p className="text-ink-3">{t("None yet. Add what you want to keep of each record.")}</p>}
        {rows.map((row, at) => (
          <fieldset key={row.key ?? at} className="flex flex-col gap-2 border-line not-last:border-b not-last:pb-3">
            <legend className="sr-only">{t("Field {n}", { n: at + 1 })}</legend>
            <div className="grid grid-cols-[1fr_auto_auto] items-end gap-2">
              <Input
                label={t("Name of the field")}
                dir="auto"
                required
                maxLength={80}
                value={row.label}
                onChange={(event) => set(at, { label: event.target.value })}
              />
              <Select
                label={t("Kind")}
                value={row.type}
                options={types.map(([type, label]) => [type, t(label)])}
                onChange={(event) =>
                  set(at, { type: types.find(([type]) => type === event.target.value)?.[0] ?? "text" })
                }
              />
              <Button
                tone="quiet"
                icon={Trash2}
                label={t("Remove {name}", { name: row.label })}
                onClick={() => setRows(rows.toSpliced(at, 1))}
              />
            </div>
            {row.type === "choice" && (
              <TagInput
                label={t("What can be chosen")}
                hint={t("With commas between them.")}
                values={row.choices}
                most={100}
                maxLength={80}
                onChange={(choices) => set(at, { choices })}
              />
            )}
          </fieldset>
        ))}
        <Button
          small
          icon={Plus}
          className="self-start"
          disabled={rows.length >= 50}
          onClick={() => setRows([...rows, { label: "", type: "text", choices: [] }])}
        >
          {t("Add a field")}
        </Button>
        <Problem>{problem}</Problem>
        <Button tone="primary" type="submit" disabled={busy} className="self-end">
          {t("Save fields")}
        </Button>
      </form>
    </Dialog>
  )
}
