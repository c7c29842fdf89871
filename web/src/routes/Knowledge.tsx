/** `/knowledge`: the knowledge bases of the organization. */
import { KnowledgeList } from "../features/knowledge/KnowledgeList.tsx"

export default KnowledgeList
