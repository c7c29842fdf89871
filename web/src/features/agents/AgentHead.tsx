/** Above the form of an agent: its name, its number, and what can be done with it. */
import type { VoiceAgent } from "@parley/client"
import { Link } from "@tanstack/react-router"
import { ArrowLeft, Check, Mic, Trash2 } from "lucide-react"
import { Button, buttonClass } from "../../components/Button.tsx"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { ago, phone } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { useNow } from "../../lib/time.ts"

export const AgentHead = ({
  agent,
  name,
  mayWrite,
  testing,
  onRemove,
  onTest
}: {
  readonly agent: VoiceAgent
  /** As it stands in the form. */
  readonly name: string
  readonly mayWrite: boolean
  readonly testing: boolean
  readonly onRemove: () => void
  readonly onTest: () => void
}) => {
  const now = useNow()
  return (
    <header className="flex min-h-[52px] shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-2 py-1.5 md:px-5">
      <Link to="/agents" aria-label={t("Back to the list")} className={buttonClass({ tone: "quiet", square: true })}>
        <Icon of={ArrowLeft} />
      </Link>
      <h1 className="min-w-0 truncate text-title font-semibold tracking-tight" dir="auto">
        {name}
      </h1>
      {agent.phoneNumber === null ? (
        <Chip>{t("no number")}</Chip>
      ) : (
        <Chip tone="good" icon={Check}>
          {t("answers {number}", { number: phone(agent.phoneNumber) })}
        </Chip>
      )}
      <span className="text-ink-3 max-md:hidden">{t("saved: {when}", { when: ago(agent.updatedAt, now) })}</span>
      <span className="flex-1" />
      {mayWrite && (
        <>
          <Button tone="quiet" icon={Trash2} label={t("Delete {name}", { name: agent.name })} onClick={onRemove} />
          <Button icon={Mic} aria-pressed={testing} onClick={onTest}>
            {t("Test call")}
          </Button>
        </>
      )}
    </header>
  )
}
