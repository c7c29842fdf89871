/** A template for a closed window: its gaps as fields, filled for the contact, with the text as it will arrive. */
import type { NewMessage, Template } from "@parley/client"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { t } from "../../lib/i18n.ts"
import { GapFields } from "../templates/GapFields.tsx"
import { TemplatePreview } from "../templates/TemplatePreview.tsx"
import { componentsOf, type Filled, gapsOf, isWhole } from "../templates/template.ts"

export const TemplateForm = ({
  template,
  to,
  suggestion,
  onSend,
  onClose
}: {
  readonly template: Template
  readonly to: string
  /** What stands in the first gap: mostly the name of the contact. */
  readonly suggestion: string
  readonly onSend: (body: NewMessage) => void
  readonly onClose: () => void
}) => {
  const gaps = gapsOf(template)
  const first = gaps.find(({ slot }) => slot.type === "body")
  const [values, setValues] = useState<Filled>(first === undefined ? {} : { [first.key]: suggestion })
  const whole = isWhole(gaps, values)
  return (
    <Dialog title={template.name} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
        }}
        onSubmit={(event) => {
          event.preventDefault()
          if (!whole) return
          onClose()
          const { name: templateName, language } = template
          onSend({ to, type: "template", templateName, language, components: componentsOf(gaps, values) })
        }}
      >
        <GapFields gaps={gaps} values={values} focus onChange={setValues} />
        <div>
          <p className="mb-1 text-small text-ink-3">{t("What arrives")}</p>
          <TemplatePreview template={template} values={values} />
        </div>
        <Button
          tone="primary"
          type="submit"
          keys="Ctrl ↵"
          aria-keyshortcuts="Control+Enter"
          autoFocus={gaps.length === 0}
          disabled={!whole}
          className="self-end"
        >
          {t("Send template")}
        </Button>
      </form>
    </Dialog>
  )
}
