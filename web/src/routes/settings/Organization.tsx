/** `/settings/organization` */
import { OrganizationSettings } from "../../features/settings/organization/OrganizationSettings.tsx"

export default OrganizationSettings
