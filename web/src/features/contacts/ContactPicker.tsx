/** Asks for a contact: found by name, number or e-mail. */
import type { Contact } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Picker } from "../../components/Picker.tsx"
import { phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { contactName } from "../../lib/words.ts"

export const ContactPicker = ({
  title,
  except,
  onChoose,
  onClose
}: {
  readonly title: string
  /** The contact that cannot be chosen. */
  readonly except?: string
  readonly onChoose: (contact: Contact) => void
  /** Nobody was chosen. */
  readonly onClose: () => void
}) => {
  const [typed, setTyped] = useState("")
  const search = typed.trim()
  const filter = { search: search === "" ? undefined : search, limit: 10 }
  const found = useQuery({
    queryKey: keys.contacts(filter),
    queryFn: ({ signal }) => parley.contacts.list(filter, { signal }).then(({ data }) => data),
    placeholderData: (before) => before
  })
  const choices = (found.data ?? [])
    .filter(({ id }) => id !== except)
    .map((contact) => ({
      id: contact.id,
      label: contactName(contact),
      detail: [contact.phone === null ? "" : phone(contact.phone), contact.email ?? ""]
        .filter((text) => text !== "")
        .join(" · "),
      // The service has found it, also by digits that are shown apart.
      words: typed,
      run: () => onChoose(contact)
    }))
  return (
    <Picker
      title={title}
      placeholder={t("Name or number")}
      choices={choices}
      busy={found.isFetching}
      onType={setTyped}
      onClose={(chosen) => chosen === undefined && onClose()}
    />
  )
}
