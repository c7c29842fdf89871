/** The text agents of the organization: they answer messages of contacts. */
import type { TextAgent } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { Bot, FlaskConical } from "lucide-react"
import { useSession } from "../../api/session.tsx"
import { Avatar } from "../../components/Avatar.tsx"
import { buttonClass } from "../../components/Button.tsx"
import { Icon } from "../../components/Icon.tsx"
import { PageBody, PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, ListSkeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { ago } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"
import { useMaking } from "../shell/useMaking.tsx"
import { NewBot } from "./NewBot.tsx"
import { useBots } from "./useBots.ts"
import { answersText } from "./words.ts"

const Row = ({ agent: { id, name, description, answers, updatedAt } }: { readonly agent: TextAgent }) => {
  const now = useNow()
  return (
    <li>
      <Link
        to="/bots/$id/$section"
        params={{ id, section: "basics" }}
        className="flex min-h-16 items-center gap-3 rounded-card border border-line bg-surface px-4 py-2.5 hover:bg-hover"
      >
        <Avatar name={name} who="ai" />
        <span className="min-w-0 flex-1">
          <b className="block truncate font-semibold" dir="auto">
            {name}
          </b>
          <span className="block truncate text-small text-ink-3">
            {[answersText(answers), description].filter((part) => part !== "").join(" · ")}
          </span>
        </span>
        <span className="num text-small whitespace-nowrap text-ink-3 max-md:hidden">{ago(updatedAt, now)}</span>
      </Link>
    </li>
  )
}

export const BotList = () => {
  const { data, error, refetch } = useBots()
  const mayWrite = can(useSession(), "agents:write")
  const { making, close, button } = useMaking("new-bot", t("New AI agent"), Bot, mayWrite)
  return (
    <>
      <PageHead title={t("AI agents")}>
        <Link to="/evaluations" className={buttonClass({})}>
          <Icon of={FlaskConical} /> {t("Evaluations")}
        </Link>
        {button}
      </PageHead>
      <PageBody wide>
        {error !== null && data === undefined ? (
          <ErrorBlock error={error} again={() => void refetch()} />
        ) : data === undefined ? (
          <ListSkeleton />
        ) : data.length === 0 ? (
          <Empty title={t("No AI agents yet.")} action={button || undefined}>
            {t("An AI agent answers messages by itself, and hands over to your team when it cannot.")}
          </Empty>
        ) : (
          <ul aria-label={t("AI agents")} className="flex flex-col gap-2">
            {data.map((agent) => (
              <Row key={agent.id} agent={agent} />
            ))}
          </ul>
        )}
      </PageBody>
      {making && <NewBot onClose={close} />}
    </>
  )
}
