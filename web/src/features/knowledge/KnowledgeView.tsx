/** One knowledge base: what is found in it, what it is made of, and what agents could not answer. */
import type { KnowledgeBase } from "@parley/client"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { PageBody } from "../../components/Page.tsx"
import { RecordAwaited, RecordHead } from "../../components/RecordHead.tsx"
import { RemoveDialog } from "../../components/RemoveDialog.tsx"
import { can } from "../../lib/can.ts"
import { t } from "../../lib/i18n.ts"
import { say } from "../../lib/toasts.ts"
import { BaseForm } from "./BaseForm.tsx"
import { SourceForm, type SourceStart } from "./SourceForm.tsx"
import { SourceList } from "./SourceList.tsx"
import { TrySearch } from "./TrySearch.tsx"
import { Unanswered } from "./Unanswered.tsx"
import { useKnowledgeBase } from "./useKnowledge.ts"
import { languageName, passagesText } from "./words.ts"

const Opened = ({ base }: { readonly base: KnowledgeBase }) => {
  const mayWrite = can(useSession(), "knowledge:write")
  const [opened, setOpened] = useState<"change" | "remove">()
  const [adding, setAdding] = useState<SourceStart>()
  const { id, name, description, language, passages } = base
  return (
    <>
      <RecordHead
        name={name}
        beside={`${languageName(language)} · ${passagesText(passages)}`}
        to="/knowledge"
        list={t("All knowledge bases")}
        onRemove={mayWrite ? () => setOpened("remove") : undefined}
        onChange={mayWrite ? () => setOpened("change") : undefined}
      />
      <PageBody>
        {description !== "" && (
          <p className="text-ink-2" dir="auto">
            {description}
          </p>
        )}
        <TrySearch baseId={id} />
        <SourceList baseId={id} onAdd={mayWrite ? setAdding : undefined} />
        <Unanswered
          baseId={id}
          onAnswer={mayWrite ? (question) => setAdding({ type: "answers", question }) : undefined}
        />
      </PageBody>
      {opened === "change" && (
        <BaseForm base={base} onClose={() => setOpened(undefined)} onSaved={() => say(t("Saved."))} />
      )}
      {opened === "remove" && (
        <RemoveDialog
          name={name}
          action={t("Delete the knowledge base")}
          remove={() => parley.knowledgeBases.remove(id)}
          record={keys.knowledgeBase(id)}
          to="/knowledge"
          list={keys.allKnowledge}
          onClose={() => setOpened(undefined)}
        >
          {t(
            "Its sources and files are deleted, too, and agents find nothing of them any more. This cannot be undone."
          )}
        </RemoveDialog>
      )}
      {adding !== undefined && <SourceForm baseId={id} start={adding} onClose={() => setAdding(undefined)} />}
    </>
  )
}

export const KnowledgeView = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useKnowledgeBase(id)
  if (data !== undefined) return <Opened base={data} />
  return (
    <RecordAwaited
      title={t("Knowledge")}
      error={error}
      refetch={refetch}
      gone={t("This knowledge base does not exist.")}
      to="/knowledge"
      list={t("All knowledge bases")}
    />
  )
}
