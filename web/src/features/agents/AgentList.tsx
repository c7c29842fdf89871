/** The voice agents of the organization. */
import type { VoiceAgent } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { AudioWaveform, Check } from "lucide-react"
import { useSession } from "../../api/session.tsx"
import { Avatar } from "../../components/Avatar.tsx"
import { Chip } from "../../components/Chip.tsx"
import { PageHead } from "../../components/Page.tsx"
import { Empty, ErrorBlock, Skeleton } from "../../components/States.tsx"
import { can } from "../../lib/can.ts"
import { ago, phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"
import { useMaking } from "../shell/useMaking.tsx"
import { NewAgent } from "./NewAgent.tsx"
import { useAgentList, useCatalogue, voiceOf } from "./useAgents.ts"

const Row = ({ agent, voice, language }: { agent: VoiceAgent; voice: string; language: string }) => {
  const now = useNow()
  const { id, name, description, phoneNumber, overrides, updatedAt } = agent
  return (
    <li>
      <Link
        to="/agents/$id/$section"
        params={{ id, section: "basics" }}
        className="flex min-h-16 items-center gap-3 rounded-card border border-line bg-surface px-4 py-2.5 hover:bg-hover"
      >
        <Avatar name={name} who="ai" />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <b className="truncate font-semibold" dir="auto">
              {name}
            </b>
            {phoneNumber === null ? (
              <Chip>{t("no number")}</Chip>
            ) : (
              <Chip tone="good" icon={Check}>
                {t("answers {number}", { number: phone(phoneNumber) })}
              </Chip>
            )}
            {overrides.length > 0 && (
              <Chip tone="warn" title={overrides.map(({ reason }) => reason).join(" ")}>
                {t("{n, plural, one {# setting is off in calls} other {# settings are off in calls}}", {
                  n: overrides.length
                })}
              </Chip>
            )}
          </span>
          <span className="block truncate text-small text-ink-3">
            {[voice, language, description].filter((part) => part !== "").join(" · ")}
          </span>
        </span>
        <span className="num text-small whitespace-nowrap text-ink-3 max-md:hidden">{ago(updatedAt, now)}</span>
      </Link>
    </li>
  )
}

export const AgentList = () => {
  const session = useSession()
  const { data, error, refetch } = useAgentList()
  const catalogue = useCatalogue().data
  const mayWrite = can(session, "voice:write")
  const { making, close, button } = useMaking("new-agent", t("New voice agent"), AudioWaveform, mayWrite)
  const languageOf = (tag: string) => catalogue?.languages.find((one) => one.tag === tag)?.name ?? tag
  return (
    <>
      <PageHead title={t("Voice agents")}>{button}</PageHead>
      <div className="scroll-thin flex-1 overflow-y-auto p-4 md:p-6">
        {error !== null && data === undefined ? (
          <ErrorBlock error={error} again={() => void refetch()} />
        ) : data === undefined ? (
          <div aria-busy="true" className="mx-auto flex max-w-[860px] flex-col gap-3">
            <Skeleton className="h-16" />
            <Skeleton className="h-16" />
          </div>
        ) : data.length === 0 ? (
          <Empty title={t("No voice agents yet.")} action={button || undefined}>
            {t("An agent answers the telephone by itself. You hear yours in five minutes, without a number.")}
          </Empty>
        ) : (
          <ul className="mx-auto flex max-w-[860px] flex-col gap-2">
            {data.map((agent) => (
              <Row
                key={agent.id}
                agent={agent}
                voice={voiceOf(catalogue, agent)?.name ?? agent.voiceId}
                language={languageOf(agent.primaryLanguage)}
              />
            ))}
          </ul>
        )}
      </div>
      {making && <NewAgent onClose={close} />}
    </>
  )
}
