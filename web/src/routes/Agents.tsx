/** `/agents` */
import { AgentList } from "../features/agents/AgentList.tsx"

export default AgentList
