/** `/operator/sign-in` */
import { OperatorSignIn } from "../../features/operator/OperatorSignIn.tsx"

export default OperatorSignIn
