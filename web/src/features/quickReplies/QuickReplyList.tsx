/** Texts that people send often: a shortcut for each. */
import type { QuickReply } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useNavigate, useSearch } from "@tanstack/react-router"
import { Pencil, Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useSession } from "../../api/session.tsx"
import { Button } from "../../components/Button.tsx"
import { SearchInput } from "../../components/Field.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { sayAndHold, sayProblem } from "../../lib/toasts.ts"
import { QuickReplyForm } from "./QuickReplyForm.tsx"
import { useQuickReplies } from "./useQuickReplies.ts"

export const QuickReplyList = () => {
  const { search = "" } = useSearch({ from: "/signed-in/quick-replies" })
  const navigate = useNavigate()
  const client = useQueryClient()
  const session = useSession()
  const { data, error, isPending, refetch } = useQuickReplies()
  const [editing, setEditing] = useState<QuickReply | "new">()
  const editable = can(session, "messages:send")
  const words = search.toLowerCase().split(/\s+/)
  const shown = (data ?? []).filter(({ shortcut, text }) => {
    const all = `/${shortcut} ${text}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
  const find = (next: string) =>
    void navigate({ to: "/quick-replies", search: next === "" ? {} : { search: next }, replace: true })

  /** The service cannot bring one back, so it is deleted when its message has gone. */
  const remove = (reply: QuickReply) => {
    const again = () => void client.invalidateQueries({ queryKey: keys.quickReplies })
    client.setQueryData<ReadonlyArray<QuickReply>>(keys.quickReplies, (all) => all?.filter(({ id }) => id !== reply.id))
    sayAndHold(
      t("/{shortcut} is being deleted…", { shortcut: reply.shortcut }),
      { label: t("Undo"), run: again },
      () =>
        void parley.quickReplies.remove(reply.id).catch((cause: unknown) => {
          sayProblem(cause)
          again()
        })
    )
  }
  return (
    <>
      <PageHead
        title={t("Quick replies")}
        beside={data !== undefined && <span className="num text-ink-3">{number(data.length)}</span>}
      >
        <SearchInput label={t("Search quick replies")} value={search} onSearch={find} />
        {editable && (
          <Button tone="primary" icon={Plus} onClick={() => setEditing("new")}>
            {t("New quick reply")}
          </Button>
        )}
      </PageHead>
      <div className="scroll-thin min-h-0 flex-1 overflow-y-auto bg-surface">
        {error !== null && data === undefined ? (
          <ErrorBlock error={error} again={() => void refetch()} />
        ) : isPending ? (
          <ListSkeleton />
        ) : shown.length === 0 ? (
          search === "" ? (
            <Empty title={t("No quick replies yet.")}>
              {t("What you write again and again gets a shortcut: / and two letters in a conversation.")}
            </Empty>
          ) : (
            <Empty
              title={t("No quick reply matches.")}
              action={<Button onClick={() => find("")}>{t("Clear the filter")}</Button>}
            />
          )
        ) : (
          <ul aria-label={t("Quick replies")}>
            {shown.map((reply) => (
              <li key={reply.id} className="flex items-start gap-3 border-b border-line px-4 py-2 md:px-5">
                <span className="w-28 shrink-0 truncate font-mono text-small font-medium text-accent">
                  /{reply.shortcut}
                </span>
                <span dir="auto" className="line-clamp-3 min-w-0 flex-1 whitespace-pre-line text-ink-2">
                  {reply.text}
                </span>
                {editable && (
                  <span className="flex gap-1">
                    <Button
                      small
                      tone="quiet"
                      icon={Pencil}
                      label={t("Change /{shortcut}", { shortcut: reply.shortcut })}
                      onClick={() => setEditing(reply)}
                    />
                    <Button
                      small
                      tone="quiet"
                      icon={Trash2}
                      label={t("Delete /{shortcut}", { shortcut: reply.shortcut })}
                      onClick={() => remove(reply)}
                    />
                  </span>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
      {editing !== undefined && (
        <QuickReplyForm {...(editing === "new" ? {} : { reply: editing })} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}
