/** Makes an agent of a name, something to begin with, and a language; everything else is changed in its form. */
import type { VoiceAgent } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { Select } from "../../components/Field.tsx"
import { NameInput } from "../../components/NameInput.tsx"
import { SubmitForm } from "../../components/SubmitForm.tsx"
import { cx } from "../../lib/classes.ts"
import { language as interfaceLanguage, t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { starters } from "./starters.ts"
import { lockOf, useCatalogue, voicesFor } from "./useAgents.ts"

export const NewAgent = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const catalogue = useCatalogue().data
  const [name, setName] = useState("")
  const [starter, setStarter] = useState(starters[0])
  const [language, setLanguage] = useState<VoiceAgent["primaryLanguage"]>(
    interfaceLanguage() === "hi" ? "hi-IN" : "en-US"
  )
  const voice = catalogue && voicesFor(catalogue, language).find((one) => lockOf(catalogue, one) === undefined)
  const { busy, problem, submit } = useSubmit(async () => {
    if (voice === undefined || starter === undefined) return
    const made = await parley.voiceAgents.create({
      name: name.trim(),
      welcomeMessage: t(starter.welcome),
      systemPrompt: starter.prompt === "" ? "" : t(starter.prompt),
      primaryLanguage: language,
      voiceFamily: voice.family,
      voiceId: voice.id
    })
    client.setQueryData(keys.voiceAgent(made.id), made)
    void client.invalidateQueries({ queryKey: keys.voiceAgents })
    onClose()
    await navigate({ to: "/agents/$id/$section", params: { id: made.id, section: "basics" } })
  })
  return (
    <Dialog title={t("New voice agent")} onClose={onClose}>
      <SubmitForm
        submit={submit}
        busy={busy}
        problem={problem}
        action={t("Create agent")}
        incomplete={voice === undefined || name.trim() === ""}
      >
        <NameInput name={name} onName={setName} placeholder={t("Reception")} />
        <fieldset>
          <legend className="mb-1 text-small font-medium text-ink-2">{t("Begin with")}</legend>
          <div className="grid gap-2 md:grid-cols-2">
            {starters.map((one) => (
              <label
                key={one.id}
                className={cx(
                  "cursor-pointer rounded-control border px-3 py-2 has-focus-visible:outline-2 has-focus-visible:outline-accent",
                  one === starter ? "border-accent bg-selected" : "border-line hover:bg-hover"
                )}
              >
                <input
                  type="radio"
                  name="starter"
                  className="sr-only"
                  checked={one === starter}
                  onChange={() => setStarter(one)}
                />
                <span className="block font-medium">{t(one.title)}</span>
                <span className="block text-small text-ink-3">{t(one.detail)}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <Select
          label={t("Language")}
          value={language}
          options={(catalogue?.languages ?? []).map((one) => [one.tag, one.name])}
          onChange={(event) => {
            const next = catalogue?.languages.find(({ tag }) => tag === event.target.value)
            if (next !== undefined) setLanguage(next.tag)
          }}
        />
      </SubmitForm>
    </Dialog>
  )
}
