/** `/evaluations/{id}` */
import { useParams } from "@tanstack/react-router"
import { EvaluationView } from "../features/evaluations/EvaluationView.tsx"

const EvaluationPage = () => {
  const { id } = useParams({ from: "/signed-in/evaluations/$id" })
  return <EvaluationView key={id} id={id} />
}

export default EvaluationPage
