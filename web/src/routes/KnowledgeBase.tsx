/** `/knowledge/{id}` */
import { useParams } from "@tanstack/react-router"
import { KnowledgeView } from "../features/knowledge/KnowledgeView.tsx"

const KnowledgeBase = () => {
  const { id } = useParams({ from: "/signed-in/knowledge/$id" })
  return <KnowledgeView key={id} id={id} />
}

export default KnowledgeBase
