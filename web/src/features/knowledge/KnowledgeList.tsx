/** The knowledge bases of the organization. */
import type { KnowledgeBase } from "@parley/client"
import { Link, useNavigate } from "@tanstack/react-router"
import { BookOpen, ChevronRight } from "lucide-react"
import { parley } from "../../api/client.ts"
import { keys } from "../../api/keys.ts"
import { useNumbered } from "../../api/numbered.ts"
import { useSession } from "../../api/session.tsx"
import { Icon } from "../../components/Icon.tsx"
import { Listed } from "../../components/Listed.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { Empty } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { t } from "../../lib/i18n.ts"
import { useMaking } from "../shell/useMaking.tsx"
import { BaseForm } from "./BaseForm.tsx"
import { languageName, passagesText } from "./words.ts"

const Row = ({ base: { id, name, description, language, sources, passages } }: { readonly base: KnowledgeBase }) => (
  <li className="not-last:border-b not-last:border-line">
    <Link
      to="/knowledge/$id"
      params={{ id }}
      className="flex items-center gap-3 px-4 py-2.5 hover:bg-hover focus-visible:outline-offset-[-2px]"
    >
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1 basis-56">
          <bdi className="block truncate font-medium">{name}</bdi>
          <span className="block truncate text-small text-ink-3" dir="auto">
            {description === "" ? languageName(language) : description}
          </span>
        </span>
        <span className="num text-small text-ink-3">
          {t("{n, plural, one {# source} other {# sources}}", { n: sources })} · {passagesText(passages)}
        </span>
      </span>
      <Icon of={ChevronRight} className="shrink-0 text-ink-3 rtl:rotate-180" />
    </Link>
  </li>
)

export const KnowledgeList = () => {
  const navigate = useNavigate()
  const mayWrite = can(useSession(), "knowledge:write")
  const list = useNumbered({
    queryKey: keys.knowledgeBases,
    read: (at, signal) => parley.knowledgeBases.list(at, { signal })
  })
  const { making, close, button } = useMaking("new-base", t("New knowledge base"), BookOpen, mayWrite)
  return (
    <>
      <PageHead title={t("Knowledge")}>{button}</PageHead>
      <PageBody wide>
        <Listed
          list={list}
          empty={
            <Empty title={t("There are no knowledge bases yet.")}>
              {t(
                "Agents look up in them what you give them: files, web pages, pages of Notion, questions with answers."
              )}
            </Empty>
          }
        >
          {(all) => (
            <ul aria-label={t("Knowledge bases")} className="rounded-card border border-line bg-surface">
              {all.map((base) => (
                <Row key={base.id} base={base} />
              ))}
            </ul>
          )}
        </Listed>
      </PageBody>
      {making && (
        <BaseForm onClose={close} onSaved={({ id }) => void navigate({ to: "/knowledge/$id", params: { id } })} />
      )}
    </>
  )
}
