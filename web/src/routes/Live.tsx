/** `/live?call=` */
import { LiveCalls } from "../features/live/LiveCalls.tsx"

export default LiveCalls
