/** `/settings/team` */
import { Team } from "../../features/settings/team/Team.tsx"

export default Team
