/** `/operator/nodes` */
import { Nodes } from "../../features/operator/Nodes.tsx"

export default Nodes
