/** What an agent would find for a question, with the score of each passage. */
import type { KnowledgeAnswer } from "@parley/client"
import { Search } from "lucide-react"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { Button } from "../../components/Button.tsx"
import { Card } from "../../components/Card.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Input } from "../../components/Field.tsx"
import { Problem } from "../../components/States.tsx"
import { number } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useSubmit } from "../../lib/submit.ts"

type Passage = KnowledgeAnswer["passages"][number]

/** A score from which on an agent answers. */
const enough = 0.3

const Found = ({ passage: { title, headings, text, url, score } }: { readonly passage: Passage }) => (
  <li className="border-line py-2.5 not-last:border-b">
    <div className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <Chip tone={score >= enough ? "good" : "plain"} title={t("From 0 to 1; an agent answers from 0.3 on.")}>
        {number(score, { minimumFractionDigits: 2, maximumFractionDigits: 2 })}
      </Chip>
      <span className="min-w-0 flex-1 font-medium" dir="auto">
        {[title, ...headings.filter((heading) => heading !== title)].join(" › ")}
      </span>
    </div>
    <p className="mt-1 whitespace-pre-line text-ink-2 [overflow-wrap:anywhere]" dir="auto">
      {text}
    </p>
    {url !== null && (
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        dir="ltr"
        className="text-small break-all text-accent underline underline-offset-2"
      >
        {url}
      </a>
    )}
  </li>
)

export const TrySearch = ({ baseId }: { readonly baseId: string }) => {
  const [query, setQuery] = useState("")
  const [answer, setAnswer] = useState<KnowledgeAnswer>()
  const { busy, problem, submit } = useSubmit(async () =>
    setAnswer(await parley.knowledgeBases.search(baseId, { query: query.trim() }))
  )
  return (
    <Card title={t("What an agent finds")}>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-60">
          <Input
            label={t("Question")}
            placeholder={t("How long do I have to return a book?")}
            required
            maxLength={500}
            dir="auto"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
        </div>
        <Button type="submit" icon={Search} disabled={busy || query.trim() === ""}>
          {t("Look it up")}
        </Button>
      </form>
      <Problem>{problem}</Problem>
      <div role="status">
        {answer !== undefined && (
          <p className={answer.answered ? "text-good" : "text-warn"}>
            {answer.answered
              ? t("An agent would answer with this.")
              : t("An agent would say that it does not know, and offer a colleague.")}
          </p>
        )}
      </div>
      {answer !== undefined && answer.passages.length > 0 && (
        <ol aria-label={t("Found")}>
          {answer.passages.map((passage) => (
            <Found key={`${passage.sourceId} ${passage.score} ${passage.text.slice(0, 80)}`} passage={passage} />
          ))}
        </ol>
      )}
    </Card>
  )
}
