/** Plays an evaluation with one agent, as it is saved. */
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { Select } from "../../components/Field.tsx"
import { SubmitForm } from "../../components/SubmitForm.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { useBots } from "../bots/useBots.ts"

export const StartRun = ({
  evaluationId,
  onClose
}: {
  readonly evaluationId: string
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { left } = useSearch({ from: "/signed-in/evaluations/$id" })
  const { data: bots } = useBots()
  const [chosen, setChosen] = useState<string>()
  const agentId = chosen ?? bots?.[0]?.id
  const { busy, problem, submit } = useSubmit(async () => {
    if (agentId === undefined) return
    const run = await parley.evaluations.start(evaluationId, { agentId })
    await client.invalidateQueries({ queryKey: keys.evaluationRuns(evaluationId) })
    onClose()
    // What was seen so far stands on the left, so that the new one can be compared with it.
    const search = left === undefined ? { left: run.id } : { left, right: run.id }
    await navigate({ to: "/evaluations/$id", params: { id: evaluationId }, search, replace: true })
  })
  return (
    <Dialog title={t("Play the evaluation")} onClose={onClose}>
      <SubmitForm
        submit={submit}
        busy={busy}
        problem={problem}
        action={t("Play it")}
        incomplete={agentId === undefined}
      >
        {bots?.length === 0 ? (
          <p>{t("There are no AI agents yet.")}</p>
        ) : (
          <Select
            label={t("AI agent")}
            hint={t("It is played as it is saved. Nothing is sent to anybody, and no tool runs. Its tokens count.")}
            value={agentId ?? ""}
            options={(bots ?? []).map(({ id, name }) => [id, name])}
            onChange={(event) => setChosen(event.target.value)}
          />
        )}
      </SubmitForm>
    </Dialog>
  )
}
