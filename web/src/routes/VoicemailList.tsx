/** `/voicemails` */
import { Voicemails } from "../features/calls/Voicemails.tsx"

export default Voicemails
