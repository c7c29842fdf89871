/** `/operator` */
import { Overview } from "../../features/operator/Overview.tsx"

export default Overview
