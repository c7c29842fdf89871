/** Around all pages of operators but the one where they sign in. */
import { OperatorFrame } from "../../features/operator/OperatorFrame.tsx"

export default OperatorFrame
