/** A contact card to send: who it is, and how they are reached. It is typed, or taken from a contact. */
import type { Contact, NewMessage } from "@parley/client"
import { ContactRound } from "lucide-react"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input } from "../../components/Field.tsx"
import { t } from "../../lib/i18n.ts"
import { ContactPicker } from "../contacts/ContactPicker.tsx"
import { type CardFields, cardMessage, isWholeCard } from "./card.ts"

const empty: CardFields = { name: "", phone: "", email: "", company: "" }

export const CardForm = ({
  to,
  onSend,
  onClose
}: {
  readonly to: string
  readonly onSend: (body: NewMessage) => void
  readonly onClose: () => void
}) => {
  const [card, setCard] = useState(empty)
  const [choosing, setChoosing] = useState(false)
  const take = ({ name, phone, email }: Contact) => {
    setChoosing(false)
    setCard({ ...empty, name: name ?? "", phone: phone ?? "", email: email ?? "" })
  }
  const field = (name: keyof CardFields) => ({
    value: card[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => setCard({ ...card, [name]: event.target.value })
  })
  if (choosing)
    return (
      <ContactPicker title={t("Whose card to send")} except={to} onChoose={take} onClose={() => setChoosing(false)} />
    )
  return (
    <Dialog title={t("Send a contact card")} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isWholeCard(card)) return
          onClose()
          onSend(cardMessage(to, card))
        }}
      >
        <Button icon={ContactRound} className="self-start" onClick={() => setChoosing(true)}>
          {t("Take it from a contact")}
        </Button>
        <Input label={t("Name")} {...field("name")} maxLength={200} required />
        <Input
          label={t("Phone")}
          {...field("phone")}
          type="tel"
          maxLength={40}
          hint={t("A card needs a number or an e-mail address.")}
        />
        <Input label={t("E-mail")} {...field("email")} type="email" maxLength={254} />
        <Input label={t("Company")} {...field("company")} maxLength={200} />
        <Button tone="primary" type="submit" disabled={!isWholeCard(card)} className="self-end">
          {t("Send card")}
        </Button>
      </form>
    </Dialog>
  )
}
