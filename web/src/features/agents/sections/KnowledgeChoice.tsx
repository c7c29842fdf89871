/** In which knowledge bases the agent looks things up. */
import { useSetting } from "../form.ts"
import { KnowledgeField } from "../KnowledgeField.tsx"

export const KnowledgeChoice = () => <KnowledgeField {...useSetting("knowledgeBases")} />
