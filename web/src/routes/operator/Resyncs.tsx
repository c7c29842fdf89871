/** `/operator/resyncs` */
import { Resyncs } from "../../features/operator/Resyncs.tsx"

export default Resyncs
