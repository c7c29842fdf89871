/** One evaluation: its runs, of which two stand beside each other. */
import type { Evaluation } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { ArrowLeft, Pencil, Play, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { RemoveDialog } from "../../components/RemoveDialog.tsx"
import { ListSkeleton, NoRecord } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"
import { EvaluationForm } from "./EvaluationForm.tsx"
import { Runs } from "./Runs.tsx"
import { SideBySide } from "./SideBySide.tsx"
import { StartRun } from "./StartRun.tsx"
import { useEvaluation } from "./useEvaluations.ts"

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
      {opened === "remove" && (
        <RemoveDialog
          name={name}
          action={t("Delete the evaluation")}
          remove={() => parley.evaluations.remove(id)}
          record={keys.evaluation(id)}
          to="/evaluations"
          list={keys.evaluations}
          onClose={close}
        >
          {t("Its runs are deleted, too. This cannot be undone.")}
        </RemoveDialog>
      )}
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
      ) : (
        <NoRecord
          error={error}
          again={() => void refetch()}
          title={t("This evaluation does not exist.")}
          to="/evaluations"
          list={t("All evaluations")}
        >
          {t("It may have been deleted, or belong to another organization.")}
        </NoRecord>
      )}
    </>
  )
}
