/** `/evaluations`: conversations that are played with text agents. */
import { EvaluationList } from "../features/evaluations/EvaluationList.tsx"

export default EvaluationList
