/** What the agent can look up and do. One that shares the prompt of a voice agent has that one's tools. */
import { Link } from "@tanstack/react-router"
import { Card } from "../../../components/Card.tsx"
import { t } from "../../../lib/i18n.ts"
import { ToolsField } from "../../agents/ToolsField.tsx"
import { useBotForm, useBotSetting } from "../form.ts"

export const BotTools = () => {
  const { voiceAgentId } = useBotForm().draft
  const tools = useBotSetting("tools")
  if (voiceAgentId !== null)
    return (
      <Card title={t("Tools")}>
        <p className="text-ink-2">{t("It has the tools of its voice agent.")}</p>
        <Link
          to="/agents/$id/$section"
          params={{ id: voiceAgentId, section: "tools" }}
          className="text-accent underline underline-offset-2"
        >
          {t("Open the voice agent")}
        </Link>
      </Card>
    )
  return <ToolsField {...tools} kind="text" />
}
