/** `/numbers/sip` */
import { Sip } from "../features/numbers/Sip.tsx"

export default Sip
