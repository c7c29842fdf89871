/** Makes a link at which an amount is paid. It is not sent to anybody: it is shown, to be copied. */
import type { PaymentLink } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { CopyLine } from "../../components/CopyLine.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input } from "../../components/Field.tsx"
import { Problem } from "../../components/States.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { ReferenceField } from "../records/ReferenceField.tsx"

export const NewPaymentLink = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const [amount, setAmount] = useState("")
  const [currency, setCurrency] = useState("USD")
  const [description, setDescription] = useState("")
  const [contact, setContact] = useState<ReadonlyArray<string>>([])
  const [made, setMade] = useState<PaymentLink>()
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const link = await parley.paymentLinks.create({
      amount: amount.trim().replace(",", "."),
      currency: currency.trim().toUpperCase(),
      description: description.trim(),
      contactId: contact[0] ?? null
    })
    setMade(link)
    await client.invalidateQueries({ queryKey: keys.allPaymentLinks })
  })
  const typed = (set: (value: string) => void) => (event: { readonly target: { readonly value: string } }) => {
    clear()
    set(event.target.value)
  }
  return (
    <Dialog title={t("New payment link")} onClose={onClose}>
      {made === undefined ? (
        <form onSubmit={submit} className="flex flex-col gap-3">
          <div className="grid grid-cols-[1fr_96px] gap-2">
            <Input
              label={t("Amount")}
              autoFocus
              required
              inputMode="decimal"
              pattern="[0-9]+([.,][0-9]+)?"
              maxLength={20}
              value={amount}
              onChange={typed(setAmount)}
            />
            <Input
              label={t("Currency")}
              required
              maxLength={3}
              pattern="[A-Za-z]{3}"
              value={currency}
              onChange={typed(setCurrency)}
            />
          </div>
          <Input
            label={t("What it is for")}
            hint={t("Whoever pays reads it.")}
            required
            dir="auto"
            maxLength={200}
            value={description}
            onChange={typed(setDescription)}
          />
          <ReferenceField label={t("Contact")} of="contacts" several={false} ids={contact} onChange={setContact} />
          <Problem>{problem}</Problem>
          <Button tone="primary" type="submit" disabled={busy} className="self-end">
            {t("Make the link")}
          </Button>
        </form>
      ) : (
        <div className="flex flex-col gap-3">
          <CopyLine label={t("Link")} text={made.url} />
          <Button tone="primary" className="self-end" onClick={onClose}>
            {t("Done")}
          </Button>
        </div>
      )}
    </Dialog>
  )
}
