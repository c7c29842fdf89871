/** The runs of an evaluation, newest first. Up to two are chosen, to read them beside each other. */
import type { EvaluationRun } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Trash2 } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Listed } from "../../components/Listed.tsx"
import { moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useTask } from "../../lib/task.ts"
import { useRuns } from "./useEvaluations.ts"
import { runState } from "./words.ts"

const Row = ({
  run,
  chosen,
  onChoose,
  onRemove
}: {
  readonly run: EvaluationRun
  readonly chosen: boolean
  readonly onChoose: (chosen: boolean) => void
  readonly onRemove: (() => void) | undefined
}) => {
  const { agentName, createdAt, draft, problem } = run
  const { tone, text } = runState(run)
  const when = moment(createdAt)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line py-2 not-last:border-b">
      <label className="flex min-h-7 min-w-0 flex-1 basis-48 items-center gap-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          className="size-4 shrink-0 accent-accent"
          checked={chosen}
          onChange={(event) => onChoose(event.target.checked)}
        />
        <bdi className="truncate font-medium">{agentName}</bdi>
        <span className="num text-small whitespace-nowrap text-ink-3">{when}</span>
      </label>
      {draft && <Chip tone="warn">{t("with changes not saved")}</Chip>}
      <Chip tone={tone}>{text}</Chip>
      {onRemove !== undefined && (
        <Button
          small
          tone="quiet"
          icon={Trash2}
          label={t("Delete the run of {name}, {when}", { name: agentName, when })}
          onClick={onRemove}
        />
      )}
      {problem !== null && <p className="w-full text-danger">{problem}</p>}
    </li>
  )
}

export const Runs = ({ evaluationId, mayRemove }: { readonly evaluationId: string; readonly mayRemove: boolean }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { left, right } = useSearch({ from: "/signed-in/evaluations/$id" })
  const list = useRuns(evaluationId)
  const { run: task } = useTask()
  const show = (ids: ReadonlyArray<string>) => {
    const [first, second] = ids
    const search = {
      ...(first === undefined ? {} : { left: first }),
      ...(second === undefined ? {} : { right: second })
    }
    void navigate({ to: "/evaluations/$id", params: { id: evaluationId }, search, replace: true })
  }
  const chosen = [left, right].filter((id) => id !== undefined)
  // A third one takes the place of the second.
  const choose = (id: string, on: boolean) =>
    show(on ? [...chosen.slice(0, 1), id] : chosen.filter((one) => one !== id))
  const remove = (id: string) =>
    task(async () => {
      await parley.evaluations.removeRun(evaluationId, id)
      if (chosen.includes(id)) show(chosen.filter((one) => one !== id))
      await client.invalidateQueries({ queryKey: keys.evaluationRuns(evaluationId) })
    })
  return (
    <Card title={t("Runs")}>
      <Listed list={list} empty={<p className="text-ink-3">{t("It was not played yet.")}</p>}>
        {(all) => (
          <>
            <p className="text-small text-ink-3">
              {t("Choose one to read it, or two to read them beside each other.")}
            </p>
            <ul aria-label={t("Runs")}>
              {all.map((run) => (
                <Row
                  key={run.id}
                  run={run}
                  chosen={chosen.includes(run.id)}
                  onChoose={(on) => choose(run.id, on)}
                  onRemove={mayRemove ? () => remove(run.id) : undefined}
                />
              ))}
            </ul>
          </>
        )}
      </Listed>
    </Card>
  )
}
