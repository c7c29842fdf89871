/** Makes a broadcast: what it sends, to whom and when, with how many it would reach before anything is made. */
import type { NewBroadcast as Body } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input, Select } from "../../components/Field.tsx"
import { NameInput } from "../../components/NameInput.tsx"
import { Problem } from "../../components/States.tsx"
import { timeZone } from "../../lib/format.ts"
import { language, t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { momentOf } from "../../lib/zone.ts"
import { fill } from "../composer/fill.ts"
import { GapFields } from "../templates/GapFields.tsx"
import { TemplatePreview } from "../templates/TemplatePreview.tsx"
import { componentsOf, type Filled, fitting, gapsOf, isWhole } from "../templates/template.ts"
import { useTemplates } from "../templates/useTemplates.ts"
import { type Audience, AudienceField } from "./AudienceField.tsx"
import { Reach } from "./Reach.tsx"
import { useReach } from "./useReach.ts"

/** Whom it would reach, counted by the service. */
const Counted = ({ body }: { readonly body: Body }) => {
  const { data, error } = useReach(body)
  if (error !== null)
    return (
      <p role="alert" className="rounded-control bg-danger-soft px-3 py-2 text-danger">
        {error.message}
      </p>
    )
  return data === undefined ? <p className="text-ink-3">{t("Counting…")}</p> : <Reach found={data} />
}

/** The contact for whom the preview is filled. */
const somebodyKnown = { name: "Asha Rao", phone: "+14155550101", email: "asha@example.com" }

export const NewBroadcast = ({
  onClose,
  onCreated
}: {
  readonly onClose: () => void
  readonly onCreated: (id: string) => void
}) => {
  const client = useQueryClient()
  const templates = useTemplates()
  const usable = fitting(templates.data ?? [], language() === "hi" ? "hi" : "en")
  const [name, setName] = useState("")
  const [templateId, setTemplateId] = useState("")
  const [values, setValues] = useState<Filled>({})
  const [audience, setAudience] = useState<Audience>({ kind: "tags", tags: [] })
  const [when, setWhen] = useState("")
  const template = usable.find(({ id }) => id === templateId)
  const gaps = template === undefined ? [] : gapsOf(template)
  const at = when === "" ? undefined : momentOf(timeZone(), when)
  const isLate = at !== undefined && !(at > Date.now())
  const somebody = audience.kind === "all" || audience.tags.length > 0
  const sample = Object.fromEntries(Object.entries(values).map(([key, text]) => [key, fill(text, somebodyKnown)]))
  const ready = template !== undefined && isWhole(gaps, values) && somebody
  const bodyOf = (called: string): Body | undefined =>
    template === undefined
      ? undefined
      : {
          name: called,
          templateName: template.name,
          language: template.language,
          ...(gaps.length === 0 ? {} : { components: componentsOf(gaps, values) }),
          audience: audience.kind === "all" ? { all: true } : { tags: audience.tags },
          ...(at === undefined ? {} : { scheduledAt: new Date(at).toISOString() })
        }
  const preview = ready ? bodyOf("preview") : undefined
  const { busy, problem, submit } = useSubmit(async () => {
    const body = bodyOf(name.trim())
    if (body === undefined || !ready || isLate) return
    const made = await parley.broadcasts.create(body)
    if ("dryRun" in made) return
    client.setQueryData(keys.broadcast(made.id), made)
    void client.invalidateQueries({ queryKey: keys.allBroadcasts })
    onClose()
    onCreated(made.id)
  })
  const { scheduledAt: _, ...unscheduled } = preview ?? { scheduledAt: undefined }
  return (
    <Dialog title={t("New broadcast")} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <NameInput name={name} onName={setName} hint={t("Only colleagues see it.")} />
        <Select
          label={t("Template")}
          required
          value={templateId}
          hint={
            templates.data !== undefined && usable.length === 0 ? t("There is no approved template yet.") : undefined
          }
          options={[
            ["", t("Choose a template")],
            ...usable.map((one) => [one.id, `${one.name} · ${one.language}`] as const)
          ]}
          onChange={(event) => {
            setTemplateId(event.target.value)
            setValues({})
          }}
        />
        {gaps.length > 0 && (
          <>
            <p className="text-small text-ink-3">
              {t("A gap may hold what is known of each contact: {first}, {name}, {phone} or {email}.", {
                first: "{{firstName|there}}",
                name: "{{name}}",
                phone: "{{phone}}",
                email: "{{email}}"
              })}
            </p>
            <GapFields gaps={gaps} values={values} onChange={setValues} />
          </>
        )}
        {template !== undefined && (
          <div>
            <p className="mb-1 text-small text-ink-3">{t("For Asha Rao")}</p>
            <TemplatePreview template={template} values={sample} />
          </div>
        )}
        <AudienceField value={audience} onChange={setAudience} />
        <Input
          label={t("When")}
          type="datetime-local"
          hint={t("Empty: when somebody starts it. Time zone: {zone}", { zone: timeZone() })}
          value={when}
          problem={isLate ? t("It must be in the future.") : undefined}
          onChange={(event) => setWhen(event.target.value)}
        />
        {preview !== undefined && <Counted body={unscheduled as Body} />}
        <Problem>{problem}</Problem>
        <Button
          tone="primary"
          type="submit"
          disabled={busy || !ready || isLate || name.trim() === ""}
          className="self-end"
        >
          {at === undefined ? t("Create draft") : t("Schedule")}
        </Button>
      </form>
    </Dialog>
  )
}
