/** One evaluation: its runs, of which two stand beside each other. */
import type { Evaluation } from "@parley/client"
import { Play } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { PageBody } from "../../components/Page.tsx"
import { RecordAwaited, RecordHead } from "../../components/RecordHead.tsx"
import { RemoveDialog } from "../../components/RemoveDialog.tsx"
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
      <RecordHead
        name={name}
        beside={t("{n, plural, one {# conversation} other {# conversations}}", { n: size })}
        to="/evaluations"
        list={t("All evaluations")}
        onRemove={mayWrite ? () => setOpened("remove") : undefined}
        onChange={mayWrite ? () => setOpened("change") : undefined}
      >
        {mayWrite && (
          <Button tone="primary" icon={Play} onClick={() => setOpened("start")}>
            {t("Play it")}
          </Button>
        )}
      </RecordHead>
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
    <RecordAwaited
      title={t("Evaluations")}
      error={error}
      refetch={refetch}
      gone={t("This evaluation does not exist.")}
      to="/evaluations"
      list={t("All evaluations")}
    />
  )
}
