/** What every caller hears first: one text for all agents, and others for agents of a language. */
import type { Disclosure } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../../api/client.ts"
import { keys } from "../../../api/keys.ts"
import { Button } from "../../../components/Button.tsx"
import { Select, TextArea } from "../../../components/Field.tsx"
import { t } from "../../../lib/i18n.ts"
import { useCatalogue } from "../../agents/useAgents.ts"
import { FormCard } from "./FormCard.tsx"

type Texts = Disclosure["texts"]

const trimmed = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([language, text]) => [language, text.trim()]))
const isSame = (one: Texts, other: Texts) => {
  const languages = [...new Set([...Object.keys(one), ...Object.keys(other)])]
  return languages.every((language) => one[language] === other[language])
}

export const DisclosureCard = ({ saved }: { readonly saved: Disclosure }) => {
  const client = useQueryClient()
  const languages = useCatalogue().data?.languages ?? []
  const [text, setText] = useState(saved.text)
  const [texts, setTexts] = useState(saved.texts)
  const nameOf = (language: string) => languages.find(({ tag }) => tag === language)?.name ?? language
  const left = languages.filter(({ tag }) => texts[tag] === undefined)
  const hasAll = [text, ...Object.values(texts)].every((one) => one.trim() !== "")
  return (
    <FormCard
      title={t("What every caller hears first")}
      changed={text.trim() !== saved.text || !isSame(trimmed(texts), saved.texts)}
      valid={hasAll}
      onUndo={() => {
        setText(saved.text)
        setTexts(saved.texts)
      }}
      save={async () => {
        client.setQueryData(keys.disclosure, await parley.disclosure.set({ text: text.trim(), texts: trimmed(texts) }))
      }}
    >
      <TextArea
        label={t("Disclosure")}
        hint={t("All agents say it, but those with a text in their language. It cannot be switched off.")}
        required
        rows={3}
        maxLength={500}
        dir="auto"
        value={text}
        changed={text.trim() !== saved.text}
        onChange={(event) => setText(event.target.value)}
      />
      {Object.entries(texts).map(([language, value]) => (
        <div key={language} className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <TextArea
              label={t("Agents that speak {language}", { language: nameOf(language) })}
              required
              rows={2}
              maxLength={500}
              lang={language}
              dir="auto"
              value={value}
              changed={value.trim() !== saved.texts[language]}
              onChange={(event) => setTexts({ ...texts, [language]: event.target.value })}
            />
          </div>
          <Button
            tone="quiet"
            icon={Trash2}
            label={t("Remove the text for {language}", { language: nameOf(language) })}
            className="mt-5"
            onClick={() => setTexts(Object.fromEntries(Object.entries(texts).filter(([tag]) => tag !== language)))}
          />
        </div>
      ))}
      {left.length > 0 && (
        <Select
          label={t("Add a text for a language")}
          value=""
          options={[["", t("Choose a language")], ...left.map(({ tag, name }) => [tag, name] as const)]}
          onChange={(event) => event.target.value !== "" && setTexts({ ...texts, [event.target.value]: "" })}
        />
      )}
    </FormCard>
  )
}
