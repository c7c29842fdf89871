/** One evaluation: its runs, of which two stand beside each other. */
import { AnswerError, type Evaluation } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { ArrowLeft, Pencil, Play, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { t } from "../../lib/i18n.ts"
import { useTask } from "../../lib/task.ts"
import { say } from "../../lib/toasts.ts"
import { EvaluationForm } from "./EvaluationForm.tsx"
import { Runs } from "./Runs.tsx"
import { SideBySide } from "./SideBySide.tsx"
import { StartRun } from "./StartRun.tsx"
import { useEvaluation } from "./useEvaluations.ts"

const Remove = ({ evaluation, onClose }: { readonly evaluation: Evaluation; readonly onClose: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { busy, run } = useTask()
  const { id, name } = evaluation
  const remove = () =>
    run(async () => {
      await parley.evaluations.remove(id)
      onClose()
      await navigate({ to: "/evaluations" })
      client.removeQueries({ queryKey: keys.evaluation(id) })
      void client.invalidateQueries({ queryKey: keys.evaluations })
      say(t("{name} is deleted.", { name }))
    })
  return (
    <Dialog
      title={t("Delete {name}?", { name })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("Keep it")}</Button>
          <Button tone="danger" disabled={busy} onClick={remove}>
            {t("Delete the evaluation")}
          </Button>
        </>
      }
    >
      <p>{t("Its runs are deleted, too. This cannot be undone.")}</p>
    </Dialog>
  )
}

const Opened = ({ evaluation }: { readonly evaluation: Evaluation }) => {
  const mayWrite = can(useSession(), "agents:write")
  const [opened, setOpened] = useState<"change" | "remove" | "start">()
  const { id, name, size } = evaluation
  const close = () => setOpened(undefined)
  return (
    <>
      <PageHead
        title={name}
        beside={
          <span className="num text-ink-3 max-md:hidden">
            {t("{n, plural, one {# conversation} other {# conversations}}", { n: size })}
          </span>
        }
      >
        {mayWrite && (
          <>
            <Button
              tone="quiet"
              icon={Trash2}
              label={t("Delete {name}", { name })}
              onClick={() => setOpened("remove")}
            />
            <Button
              tone="quiet"
              icon={Pencil}
              label={t("Change {name}", { name })}
              onClick={() => setOpened("change")}
            />
          </>
        )}
        <Link to="/evaluations" className={buttonClass({})}>
          <Icon of={ArrowLeft} className="rtl:rotate-180" /> {t("All evaluations")}
        </Link>
        {mayWrite && (
          <Button tone="primary" icon={Play} onClick={() => setOpened("start")}>
            {t("Play it")}
          </Button>
        )}
      </PageHead>
      <PageBody wide>
        <Runs evaluationId={id} mayRemove={mayWrite} />
        <SideBySide evaluationId={id} />
      </PageBody>
      {opened === "change" && (
        <EvaluationForm evaluation={evaluation} onClose={close} onSaved={() => say(t("Saved."))} />
      )}
      {opened === "remove" && <Remove evaluation={evaluation} onClose={close} />}
      {opened === "start" && <StartRun evaluationId={id} onClose={close} />}
    </>
  )
}

export const EvaluationView = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useEvaluation(id)
  if (data !== undefined) return <Opened evaluation={data} />
  return (
    <>
      <PageHead title={t("Evaluations")} />
      {error === null ? (
        <ListSkeleton />
      ) : error instanceof AnswerError && error.status === 404 ? (
        <Empty
          title={t("This evaluation does not exist.")}
          action={
            <Link to="/evaluations" className={buttonClass({})}>
              {t("All evaluations")}
            </Link>
          }
        >
          {t("It may have been deleted, or belong to another organization.")}
        </Empty>
      ) : (
        <ErrorBlock error={error} again={() => void refetch()} />
      )}
    </>
  )
}
