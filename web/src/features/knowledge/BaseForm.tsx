/** Makes a knowledge base, or changes its name, description and language. */
import type { KnowledgeBase } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { Input, Select } from "../../components/Field.tsx"
import { NameInput } from "../../components/NameInput.tsx"
import { SubmitForm } from "../../components/SubmitForm.tsx"
import { language as interfaceLanguage, t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { readBaseAgain } from "./useKnowledge.ts"
import { type Language, languageName, languages } from "./words.ts"

export const BaseForm = ({
  base,
  onClose,
  onSaved
}: {
  readonly base?: KnowledgeBase
  readonly onClose: () => void
  readonly onSaved: (base: KnowledgeBase) => void
}) => {
  const client = useQueryClient()
  const [name, setName] = useState(base?.name ?? "")
  const [description, setDescription] = useState(base?.description ?? "")
  const [language, setLanguage] = useState<Language>(base?.language ?? (interfaceLanguage() === "hi" ? "hi" : "en"))
  const { busy, problem, submit } = useSubmit(async () => {
    const body = { name: name.trim(), description: description.trim(), language }
    const saved = await (base === undefined
      ? parley.knowledgeBases.create(body)
      : parley.knowledgeBases.update(base.id, body))
    client.setQueryData(keys.knowledgeBase(saved.id), saved)
    readBaseAgain(client, saved.id)
    onClose()
    onSaved(saved)
  })
  return (
    <Dialog title={base === undefined ? t("New knowledge base") : t("Change the knowledge base")} onClose={onClose}>
      <SubmitForm
        submit={submit}
        busy={busy}
        problem={problem}
        action={base === undefined ? t("Make the knowledge base") : t("Save")}
        incomplete={name.trim() === ""}
      >
        <NameInput name={name} onName={setName} />
        <Input
          label={t("Description")}
          hint={t("For your colleagues.")}
          maxLength={1_000}
          dir="auto"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <Select
          label={t("Language")}
          hint={t(
            "It counts for texts whose language is not clear. A change holds from the next reading of each source."
          )}
          value={language}
          options={languages.map((one) => [one, languageName(one)])}
          onChange={(event) => {
            const next = languages.find((one) => one === event.target.value)
            if (next !== undefined) setLanguage(next)
          }}
        />
      </SubmitForm>
    </Dialog>
  )
}
