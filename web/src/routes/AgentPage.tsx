/** `/agents/{id}/{section}` */
import { useParams } from "@tanstack/react-router"
import { AgentEditor } from "../features/agents/AgentEditor.tsx"
import { sections } from "../features/agents/words.ts"

const AgentPage = () => {
  const { id, section } = useParams({ from: "/signed-in/agents/$id/$section" })
  return <AgentEditor key={id} id={id} section={sections.find((one) => one === section) ?? "basics"} />
}

export default AgentPage
