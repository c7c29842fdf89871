/** `/operator/organizations/$id` */
import { OrganizationView } from "../../features/operator/OrganizationView.tsx"

export default OrganizationView
