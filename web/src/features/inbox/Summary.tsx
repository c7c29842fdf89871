/** What was said with a contact, in a few sentences, for whoever goes on with it. A model writes it when somebody asks. */
import type { Conversation, ConversationSummary } from "@parley/client"
import { useQuery } from "@tanstack/react-query"
import { RotateCcw, Sparkles } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { Button } from "../../components/Button.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Skeleton } from "../../components/States.tsx"
import { ago } from "../../lib/format.ts"
import { language, t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"

/** `asked`: whether it was wanted; one that was made is kept while the page is open. */
export const Summary = ({ conversation, asked }: { readonly conversation: Conversation; readonly asked: boolean }) => {
  const { id, lastActivityAt } = conversation
  const now = useNow()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keys.summary(id),
    enabled: asked,
    retry: false,
    queryFn: ({ signal }): Promise<ConversationSummary> =>
      parley.chats.summarize(id, { language: language() === "hi" ? "hi" : "en" }, { signal, timeoutMs: 60_000 })
  })
  if (!asked) return null
  const old = data !== undefined && lastActivityAt > data.until
  return (
    <section
      aria-label={t("Summary")}
      aria-busy={isFetching}
      className="border-b border-line bg-ai-soft px-3.5 py-2.5 md:px-6"
    >
      <p className="flex items-center gap-1.5 text-small text-ai">
        <Icon of={Sparkles} size={14} />
        <b className="font-semibold">{t("Summary")}</b>
        {data !== undefined && !isFetching && (
          <span className="text-ink-2">
            {old ? t("something has been said since") : t("made {time}", { time: ago(data.createdAt, now) })}
          </span>
        )}
        <span className="flex-1" />
        {!isFetching && (data !== undefined || error !== null) && (
          <Button small tone="quiet" icon={RotateCcw} label={t("Sum up again")} onClick={() => void refetch()} />
        )}
      </p>
      {isFetching ? (
        <div className="flex flex-col gap-1.5 py-1">
          <Skeleton className="h-3 w-11/12" />
          <Skeleton className="h-3 w-3/5" />
          <span role="status" className="sr-only">
            {t("The conversation is being summed up.")}
          </span>
        </div>
      ) : error !== null ? (
        <p role="alert" className="text-danger">
          {error.message}
        </p>
      ) : (
        <p dir="auto" className="whitespace-pre-wrap">
          {data?.text}
        </p>
      )}
    </section>
  )
}
