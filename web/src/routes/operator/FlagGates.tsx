/** `/operator/flags` */
import { FlagGates } from "../../features/operator/FlagGates.tsx"

export default FlagGates
