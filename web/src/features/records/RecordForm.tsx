/** Makes a record of a module, or changes it, by the fields of the module and those that the organization has defined. */
import type { CustomFieldsField } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Archive, ArchiveRestore } from "lucide-react"
import { type ReactNode, useState } from "react"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input, Select, TextArea } from "../../components/Field.tsx"
import { Problem } from "../../components/States.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { useTask } from "../../lib/task.ts"
import { say, sayProblem } from "../../lib/toasts.ts"
import { bodyOf, type Draft, draftOf } from "./draft.ts"
import { LinesField } from "./LinesField.tsx"
import { type Field, type Module, type ModuleRecord, modules, nameOf } from "./modules.ts"
import { ReferenceField } from "./ReferenceField.tsx"
import { operationsOf } from "./useRecords.ts"

const decimalPattern = "[0-9]+([.,][0-9]+)?"
const inputTypes: Partial<Record<Field["type"], string>> = { email: "email", tel: "tel" }

interface Editing {
  readonly draft: Draft
  readonly change: (changes: Partial<Draft>) => void
}

const Control = ({ field, draft, change, isNew }: Editing & { readonly field: Field; readonly isNew: boolean }) => {
  const { name, type, label: untranslated, required = false, maxLength, of, once } = field
  const label = t(untranslated)
  const set = (key: string) => (event: { readonly target: { readonly value: string } }) =>
    change({ texts: { ...draft.texts, [key]: event.target.value } })
  const value = draft.texts[name] ?? ""
  const currency = (key: string, given: { readonly required?: boolean; readonly disabled?: boolean } = {}) => (
    <Input
      label={t("Currency")}
      {...given}
      maxLength={3}
      pattern="[A-Za-z]{3}"
      value={draft.texts[key] ?? ""}
      onChange={set(key)}
    />
  )
  switch (type) {
    case "lines":
      return <LinesField label={label} lines={draft.lines} onChange={(lines) => change({ lines })} />
    case "one":
    case "many":
      return (
        <ReferenceField
          label={label}
          of={of ?? "contacts"}
          several={type === "many"}
          ids={draft.ids[name] ?? []}
          onChange={(ids) => change({ ids: { ...draft.ids, [name]: ids } })}
        />
      )
    case "long":
      return <TextArea label={label} rows={3} dir="auto" maxLength={maxLength} value={value} onChange={set(name)} />
    case "choice":
      return (
        <Select
          label={label}
          value={value}
          options={(field.choices ?? []).map(([key, text]) => [key, t(text)])}
          onChange={set(name)}
        />
      )
    case "currency":
      return currency(name, { required, disabled: once === true && !isNew })
    case "price":
      return (
        <div className="grid grid-cols-[1fr_96px] gap-2">
          <Input label={label} inputMode="decimal" pattern={decimalPattern} value={value} onChange={set(name)} />
          {currency(`${name} currency`)}
        </div>
      )
    case "amount":
      return <Input label={label} inputMode="decimal" pattern={decimalPattern} value={value} onChange={set(name)} />
    case "integer":
      return <Input label={label} inputMode="numeric" pattern="-?[0-9]+" value={value} onChange={set(name)} />
    default:
      return (
        <Input
          label={label}
          type={inputTypes[type] ?? "text"}
          dir="auto"
          required={required}
          maxLength={maxLength}
          value={value}
          onChange={set(name)}
        />
      )
  }
}

/** A field that the organization has defined. Its label is the organization's own word. */
const CustomControl = ({ field, draft, change }: Editing & { readonly field: CustomFieldsField }) => {
  const { key, label, type, choices = [] } = field
  const value = draft.custom[key] ?? ""
  const onChange = (event: { readonly target: { readonly value: string } }) =>
    change({ custom: { ...draft.custom, [key]: event.target.value } })
  if (type === "choice" || type === "boolean") {
    const options: ReadonlyArray<readonly [string, string]> =
      type === "boolean"
        ? [
            ["true", t("Yes")],
            ["false", t("No")]
          ]
        : choices.map((choice) => [choice, choice])
    return <Select label={label} value={value} options={[["", "–"], ...options]} onChange={onChange} />
  }
  return type === "number" ? (
    <Input label={label} inputMode="decimal" pattern="-?[0-9]+([.][0-9]+)?" value={value} onChange={onChange} />
  ) : (
    <Input
      label={label}
      dir="auto"
      type={type === "date" ? "date" : "text"}
      maxLength={1_000}
      value={value}
      onChange={onChange}
    />
  )
}

export const RecordForm = ({
  module,
  record,
  custom,
  editable,
  onClose
}: {
  readonly module: Module
  readonly record?: ModuleRecord
  readonly custom: ReadonlyArray<CustomFieldsField>
  readonly editable: boolean
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const { fields, create } = modules[module]
  const operations = operationsOf(module)
  const isNew = record === undefined
  const [draft, setDraft] = useState(() => draftOf(fields, custom, record))
  const store = async (saved: ModuleRecord) => {
    client.setQueryData(keys.record(module, saved.id), saved)
    await client.invalidateQueries({ queryKey: keys.allRecords(module) })
  }
  const shown = async (saved: ModuleRecord) => {
    await store(saved)
    onClose()
  }
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const body = bodyOf(fields, custom, draft, isNew)
    await shown(await (isNew ? operations.create(body) : operations.update(record.id, body)))
    say(t("Saved."))
  })
  const task = useTask()
  const setArchived = (archived: boolean) => {
    if (isNew) return
    const { id } = record
    task.run(async () => {
      await shown(await (archived ? operations.archive(id) : operations.restore(id)))
      say(
        archived
          ? t("{name} is archived.", { name: nameOf(record) })
          : t("{name} is back in the list.", { name: nameOf(record) }),
        archived
          ? {
              label: t("Undo"),
              run: () => void operations.restore(id).then(store).catch(sayProblem)
            }
          : undefined
      )
    })
  }
  const change = (changes: Partial<Draft>) => {
    clear()
    setDraft({ ...draft, ...changes })
  }
  const archived = record !== undefined && record.archivedAt !== null
  let source: ReactNode
  if (record?.source != null)
    source = <p className="text-small text-ink-3">{t("From {name}", { name: record.source.name })}</p>
  return (
    <Dialog title={isNew ? t(create) : nameOf(record)} onClose={onClose}>
      <form onSubmit={submit}>
        <fieldset disabled={!editable} className="flex flex-col gap-3">
          {fields.map((field) => (
            <Control key={field.name} field={field} draft={draft} change={change} isNew={isNew} />
          ))}
          {custom.map((field) => (
            <CustomControl key={field.key} field={field} draft={draft} change={change} />
          ))}
          {source}
          <Problem>{problem}</Problem>
          {editable && (
            <div className="flex flex-wrap justify-end gap-2">
              {!isNew && (
                <Button
                  icon={archived ? ArchiveRestore : Archive}
                  disabled={task.busy}
                  onClick={() => setArchived(!archived)}
                >
                  {archived ? t("Restore") : t("Archive")}
                </Button>
              )}
              <Button tone="primary" type="submit" disabled={busy}>
                {t("Save")}
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Dialog>
  )
}
