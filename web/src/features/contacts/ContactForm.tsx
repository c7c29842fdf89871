/** Creates or changes a contact. The service's sentence stands at the field that it names. */
import type { Contact } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input } from "../../components/Field.tsx"
import { Problem } from "../../components/States.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"

const fields = ["name", "phone", "email"] as const
type Field = (typeof fields)[number]

/** The field that a sentence is about: it begins with its name. */
const fieldOf = (sentence: string): Field | undefined =>
  fields.find((field) => sentence.toLowerCase().startsWith(field))

export const ContactForm = ({
  contact,
  onClose,
  onSaved
}: {
  readonly contact?: Contact
  readonly onClose: () => void
  readonly onSaved: (contact: Contact) => void
}) => {
  const client = useQueryClient()
  const [values, setValues] = useState({
    name: contact?.name ?? "",
    phone: contact?.phone ?? "",
    email: contact?.email ?? ""
  })
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const orNull = (text: string) => (text.trim() === "" ? null : text.trim())
    const name = orNull(values.name)
    const email = orNull(values.email)
    const phone = orNull(values.phone)
    const saved =
      contact === undefined
        ? await parley.contacts.create({ phone: phone ?? "", name, email })
        : await parley.contacts.update(contact.id, { name, email, ...(phone === null ? {} : { phone }) })
    client.setQueryData(keys.contact(saved.id), saved)
    void client.invalidateQueries({ queryKey: keys.allContacts })
    onClose()
    onSaved(saved)
  })
  const at = problem === undefined ? undefined : fieldOf(problem)
  const set = (field: Field) => (event: React.ChangeEvent<HTMLInputElement>) => {
    clear()
    setValues({ ...values, [field]: event.target.value })
  }
  const of = (field: Field) => (at === field ? problem : undefined)
  return (
    <Dialog title={contact === undefined ? t("New contact") : t("Edit")} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input
          label={t("Name")}
          autoFocus
          maxLength={200}
          dir="auto"
          value={values.name}
          onChange={set("name")}
          problem={of("name")}
        />
        <Input
          label={t("Phone")}
          type="tel"
          maxLength={40}
          required={contact === undefined}
          placeholder="+1 415 555 0101"
          value={values.phone}
          onChange={set("phone")}
          problem={of("phone")}
        />
        <Input
          label={t("E-mail")}
          type="email"
          maxLength={254}
          value={values.email}
          onChange={set("email")}
          problem={of("email")}
        />
        <Problem>{at === undefined ? problem : undefined}</Problem>
        <Button tone="primary" type="submit" disabled={busy} className="self-end">
          {contact === undefined ? t("Create contact") : t("Save")}
        </Button>
      </form>
    </Dialog>
  )
}
