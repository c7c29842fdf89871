/** `/settings/hours` */
import { Hours } from "../../features/settings/Hours.tsx"

export default Hours
