/** Makes an evaluation, or changes one: its conversations, what is expected in each turn, and what tools answer. */
import type { Evaluation } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { JsonField } from "../../components/JsonField.tsx"
import { NameInput } from "../../components/NameInput.tsx"
import { SubmitForm } from "../../components/SubmitForm.tsx"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"
import { ConversationFields } from "./ConversationFields.tsx"
import { blankConversation, draftsOf, isComplete, writtenOf } from "./draft.ts"

export const EvaluationForm = ({
  evaluation,
  onClose,
  onSaved
}: {
  readonly evaluation?: Evaluation
  readonly onClose: () => void
  readonly onSaved: (evaluation: Evaluation) => void
}) => {
  const client = useQueryClient()
  const [name, setName] = useState(evaluation?.name ?? "")
  const [tools, setTools] = useState<Readonly<Record<string, unknown>>>(evaluation?.tools ?? {})
  const [conversations, setConversations] = useState(
    evaluation === undefined ? [blankConversation()] : draftsOf(evaluation.conversations)
  )
  const { busy, problem, submit } = useSubmit(async () => {
    const body = {
      name: name.trim(),
      tools: tools as Evaluation["tools"],
      conversations: conversations.map(writtenOf)
    }
    const saved = await (evaluation === undefined
      ? parley.evaluations.create(body)
      : parley.evaluations.update(evaluation.id, body))
    client.setQueryData(keys.evaluation(saved.id), saved)
    void client.invalidateQueries({ queryKey: keys.evaluations })
    onClose()
    onSaved(saved)
  })
  return (
    <Dialog title={evaluation === undefined ? t("New evaluation") : t("Change the evaluation")} onClose={onClose}>
      <SubmitForm
        submit={submit}
        busy={busy}
        problem={problem}
        action={evaluation === undefined ? t("Make the evaluation") : t("Save")}
        incomplete={name.trim() === "" || !conversations.every(isComplete)}
      >
        <NameInput name={name} onName={setName} />
        {conversations.map((conversation, at) => (
          <ConversationFields
            key={conversation.key}
            conversation={conversation}
            number={at + 1}
            onChange={(next) => setConversations(conversations.with(at, next))}
            onRemove={conversations.length === 1 ? undefined : () => setConversations(conversations.toSpliced(at, 1))}
          />
        ))}
        <Button
          small
          icon={Plus}
          className="self-start"
          disabled={conversations.length >= 100}
          onClick={() => setConversations([...conversations, blankConversation()])}
        >
          {t("Another conversation")}
        </Button>
        <JsonField
          label={t("What tools answer")}
          hint={t(
            "No tool runs. By the name of each tool, e.g. an order that it finds. Knowledge is really looked up."
          )}
          rows={4}
          value={tools}
          onChange={(next) => setTools(next ?? {})}
        />
      </SubmitForm>
    </Dialog>
  )
}
