/** Merges another record of the same person into this contact: which one is chosen first, then both are shown field by field. */
import type { Contact } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Merge } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Problem } from "../../components/States.tsx"
import { phone, shortDate } from "../../lib/format.ts"
import { message, t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import { contactName } from "../../lib/words.ts"
import { ContactPicker } from "./ContactPicker.tsx"

const fields = [
  ["name", message("Name")],
  ["phone", message("Phone")],
  ["email", message("E-mail")]
] as const
type Field = (typeof fields)[number][0]

const shown = (contact: Contact, field: Field): string => {
  const value = contact[field]
  return value === null ? "" : field === "phone" ? phone(value) : value
}

/** One field of both records; the one that stays is chosen where both have it. */
const FieldRow = ({
  field,
  label,
  records,
  taken,
  onTake
}: {
  readonly field: Field
  readonly label: string
  readonly records: readonly [Contact, Contact]
  readonly taken: boolean
  readonly onTake: (taken: boolean) => void
}) => {
  const [ours, theirs] = records.map((record) => shown(record, field))
  const isChoice = ours !== "" && theirs !== "" && ours !== theirs
  const cell = "min-w-0 flex-1 break-words px-2 py-1.5"
  return (
    <fieldset className="flex flex-col gap-1 border-b border-line py-2 md:flex-row md:items-center">
      <legend className="float-start w-20 shrink-0 text-small text-ink-3">{label}</legend>
      {[ours, theirs].map((value, at) => {
        const isStaying = isChoice ? taken === (at === 1) : value !== "" && (at === 0 || ours === "")
        const look = `${cell} ${isStaying ? "font-medium" : "text-ink-3"}`
        return isChoice ? (
          <label key={records[at]?.id} className={`${look} flex min-h-8 items-center gap-2 pointer-coarse:min-h-11`}>
            <input
              type="radio"
              name={field}
              className="size-4 shrink-0 accent-accent"
              checked={isStaying}
              onChange={() => onTake(at === 1)}
            />
            <bdi className="min-w-0 break-words">{value}</bdi>
          </label>
        ) : (
          <p key={records[at]?.id} className={look}>
            <bdi>{value === "" ? "–" : value}</bdi>
          </p>
        )
      })}
    </fieldset>
  )
}

const Comparison = ({
  contact,
  other,
  onClose
}: {
  readonly contact: Contact
  readonly other: Contact
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const [take, setTake] = useState<ReadonlyArray<Field>>([])
  const { busy, problem, submit } = useSubmit(async () => {
    const merged = await parley.contacts.merge(contact.id, { contactId: other.id, take })
    client.setQueryData(keys.contact(contact.id), merged)
    client.removeQueries({ queryKey: keys.contact(other.id) })
    for (const kind of ["contacts", "conversations", "thread"])
      void client.invalidateQueries({ queryKey: [kind], refetchType: "active" })
    onClose()
    say(t("Merged."))
  })
  const records = [contact, other] as const
  return (
    <Dialog title={t("Merge two contacts")} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <div>
          <div className="flex gap-1 text-small text-ink-3 md:ps-20">
            <p className="min-w-0 flex-1 px-2">
              {t("This contact, since {date}", { date: shortDate(contact.createdAt) })}
            </p>
            <p className="min-w-0 flex-1 px-2">
              {t("The other one, since {date}", { date: shortDate(other.createdAt) })}
            </p>
          </div>
          {fields.map(([field, label]) => (
            <FieldRow
              key={field}
              field={field}
              label={t(label)}
              records={records}
              taken={take.includes(field)}
              onTake={(taken) => setTake(taken ? [...take, field] : take.filter((one) => one !== field))}
            />
          ))}
          <p className="py-2">
            <span className="text-small text-ink-3">{t("Tags")}</span>{" "}
            {[...new Set([...contact.tags, ...other.tags])].join(", ") || "–"}
          </p>
        </div>
        <p className="text-ink-2">
          {t(
            "Conversations, calls, notes and orders of both stand together. What either does not want, messages or calls, holds for both. Messages go to the number that stays."
          )}
        </p>
        <Problem>{problem}</Problem>
        <Button tone="primary" type="submit" icon={Merge} disabled={busy} className="self-end">
          {t("Merge")}
        </Button>
      </form>
    </Dialog>
  )
}

export const MergeDialog = ({ contact, onClose }: { readonly contact: Contact; readonly onClose: () => void }) => {
  const [other, setOther] = useState<Contact>()
  return other === undefined ? (
    <ContactPicker
      title={t("Merge another contact into {name}", { name: contactName(contact) })}
      except={contact.id}
      onChoose={setOther}
      onClose={onClose}
    />
  ) : (
    <Comparison contact={contact} other={other} onClose={onClose} />
  )
}
