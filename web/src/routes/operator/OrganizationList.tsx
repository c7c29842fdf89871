/** `/operator/organizations` */
import { OrganizationList } from "../../features/operator/OrganizationList.tsx"

export default OrganizationList
