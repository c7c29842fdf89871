/** `/settings` */
import { SectionList } from "../../features/settings/SectionList.tsx"

export default SectionList
