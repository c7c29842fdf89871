/** In which knowledge bases the agent looks things up. */
import { KnowledgeField } from "../../agents/KnowledgeField.tsx"
import { useBotSetting } from "../form.ts"

export const BotKnowledge = () => <KnowledgeField {...useBotSetting("knowledgeBases")} />
