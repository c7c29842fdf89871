/** What a knowledge base is made of: each source with its state, what was left out, and what can be done with it. */
import type { KnowledgeSource } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { FileText, Globe, type LucideIcon, MessageCircleQuestion, NotebookText } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Listed } from "../../components/Listed.tsx"
import { message, t } from "../../lib/i18n.ts"
import { sayAndHold, sayProblem } from "../../lib/toasts.ts"
import type { SourceStart } from "./SourceForm.tsx"
import { SourceRow } from "./SourceRow.tsx"
import { readBaseAgain, useSources } from "./useKnowledge.ts"

const additions: ReadonlyArray<readonly [type: KnowledgeSource["type"], name: string, icon: LucideIcon]> = [
  ["file", message("File"), FileText],
  ["pages", message("Web pages"), Globe],
  ["notion", message("Notion"), NotebookText],
  ["answers", message("Questions and answers"), MessageCircleQuestion]
]

export const SourceList = ({
  baseId,
  onAdd
}: {
  readonly baseId: string
  /** Opens the form; undefined: the person may only look. */
  readonly onAdd: ((start: SourceStart) => void) | undefined
}) => {
  const client = useQueryClient()
  const list = useSources(baseId)
  /** Those whose deletion is held back for as long as its message is shown. */
  const [going, setGoing] = useState<ReadonlySet<string>>(new Set())
  const back = (id: string) => setGoing((now) => new Set([...now].filter((one) => one !== id)))
  const remove = ({ id, title }: KnowledgeSource) => {
    setGoing((now) => new Set([...now, id]))
    sayAndHold(
      t("{name} is being deleted…", { name: title }),
      { label: t("Undo"), run: () => back(id) },
      () =>
        void parley.knowledgeSources
          .remove(baseId, id)
          .then(() => readBaseAgain(client, baseId))
          .catch((cause: unknown) => {
            sayProblem(cause)
            back(id)
          })
    )
  }
  return (
    <Card title={t("Sources")}>
      {onAdd !== undefined && (
        <fieldset className="flex flex-wrap items-center gap-2">
          <legend className="sr-only">{t("Add a source")}</legend>
          <span aria-hidden="true" className="text-small text-ink-3">
            {t("Add a source")}
          </span>
          {additions.map(([type, name, icon]) => (
            <Button key={type} small icon={icon} onClick={() => onAdd({ type })}>
              {t(name)}
            </Button>
          ))}
        </fieldset>
      )}
      <Listed list={list} empty={<p className="text-ink-3">{t("There are no sources yet, so nothing is found.")}</p>}>
        {(all) => (
          <ul aria-label={t("Sources")}>
            {all
              .filter(({ id }) => !going.has(id))
              .map((source) => (
                <SourceRow
                  key={source.id}
                  source={source}
                  onChange={onAdd === undefined ? undefined : () => onAdd({ type: source.type, source })}
                  onRemove={onAdd === undefined ? undefined : () => remove(source)}
                />
              ))}
          </ul>
        )}
      </Listed>
    </Card>
  )
}
