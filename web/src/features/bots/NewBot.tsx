/** Makes a text agent of a name, with a prompt to begin with; everything else is changed in its form. It takes no conversation until somebody says so. */

import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { Select } from "../../components/Field.tsx"
import { NameInput } from "../../components/NameInput.tsx"
import { SubmitForm } from "../../components/SubmitForm.tsx"
import { language as interfaceLanguage, t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { languageChoices } from "./languages.ts"

export const NewBot = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState("")
  const [language, setLanguage] = useState(interfaceLanguage() === "hi" ? "hi-IN" : "en-US")
  const { busy, problem, submit } = useSubmit(async () => {
    const made = await parley.textAgents.create({
      name: name.trim(),
      language,
      answers: "never",
      systemPrompt: t(
        "You answer messages for our business. Be short and friendly. Say only what you know from these instructions, from the knowledge base and from your tools. When you do not know something, say so and hand over to a colleague."
      )
    })
    client.setQueryData(keys.textAgent(made.id), made)
    void client.invalidateQueries({ queryKey: keys.textAgents })
    void client.invalidateQueries({ queryKey: keys.people })
    onClose()
    await navigate({ to: "/bots/$id/$section", params: { id: made.id, section: "basics" } })
  })
  return (
    <Dialog title={t("New AI agent")} onClose={onClose}>
      <SubmitForm
        submit={submit}
        busy={busy}
        problem={problem}
        action={t("Create agent")}
        incomplete={name.trim() === ""}
      >
        <NameInput name={name} onName={setName} />
        <Select
          label={t("Language")}
          value={language}
          options={languageChoices(language)}
          onChange={(event) => setLanguage(event.target.value)}
        />
        <p className="text-small text-ink-3">
          {t("It takes no conversation until you say which ones under “Answering”.")}
        </p>
      </SubmitForm>
    </Dialog>
  )
}
