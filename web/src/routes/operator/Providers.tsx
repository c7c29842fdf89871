/** `/operator/providers` */
import { Providers } from "../../features/operator/Providers.tsx"

export default Providers
