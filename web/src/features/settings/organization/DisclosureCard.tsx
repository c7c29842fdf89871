/** What every caller hears first. */
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { TextArea } from "../../../components/Field.tsx"
import { t } from "../../../lib/i18n.ts"
import { FormCard } from "./FormCard.tsx"

export const DisclosureCard = ({ saved }: { readonly saved: string }) => {
  const client = useQueryClient()
  const [text, setText] = useState(saved)
  return (
    <FormCard
      title={t("What every caller hears first")}
      changed={text.trim() !== saved}
      valid={text.trim() !== ""}
      onUndo={() => setText(saved)}
      save={async () => {
        client.setQueryData(keys.disclosure, await parley.disclosure.set({ text: text.trim() }))
      }}
    >
      <TextArea
        label={t("Disclosure")}
        hint={t("All agents of the organization say it, in this language. It cannot be switched off.")}
        required
        rows={3}
        dir="auto"
        value={text}
        changed={text.trim() !== saved}
        onChange={(event) => setText(event.target.value)}
      />
    </FormCard>
  )
}
