/** `/settings/usage` */
import { Usage } from "../../features/settings/usage/Usage.tsx"

export default Usage
