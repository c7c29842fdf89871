/** `/calls` */
import { CallList } from "../features/calls/CallList.tsx"

export default CallList
