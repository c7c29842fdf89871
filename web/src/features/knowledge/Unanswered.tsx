/** Questions to which no agent found anything, newest first. Each can be answered at once. */
import { Link } from "@tanstack/react-router"
import { MessageSquarePlus } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"
import { useNamer } from "../../api/people.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Listed } from "../../components/Listed.tsx"
import { moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"

export const Unanswered = ({
  baseId,
  onAnswer
}: {
  readonly baseId: string
  /** Undefined: the person may not. */
  readonly onAnswer: ((question: string) => void) | undefined
}) => {
  const nameOf = useNamer()
  const list = useNumbered({
    queryKey: keys.unanswered(baseId),
    read: (at, signal) => parley.knowledgeBases.unanswered(baseId, at, { signal })
  })
  return (
    <Card title={t("Questions without an answer")}>
      <Listed list={list} empty={<p className="text-ink-3">{t("Agents have answered everything so far.")}</p>}>
        {(all) => (
          <ul aria-label={t("Questions without an answer")}>
            {all.map(({ id, question, agentId, conversationId, createdAt }) => (
              <li key={id} className="flex items-start gap-3 border-line py-2 not-last:border-b">
                <span className="min-w-0 flex-1">
                  <span className="block [overflow-wrap:anywhere]" dir="auto">
                    {question}
                  </span>
                  <span className="text-small text-ink-3">
                    <bdi>{nameOf(agentId).name}</bdi> · <span className="num">{moment(createdAt)}</span>
                    {conversationId !== null && (
                      <>
                        {" · "}
                        <Link to="/inbox" search={{ c: conversationId }} className="underline underline-offset-2">
                          {t("Open the conversation")}
                        </Link>
                      </>
                    )}
                  </span>
                </span>
                {onAnswer !== undefined && (
                  <Button
                    small
                    icon={MessageSquarePlus}
                    label={t("Answer “{question}”", { question })}
                    onClick={() => onAnswer(question)}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </Card>
  )
}
