/** `/settings/keys` */
import { KeyList } from "../../features/settings/keys/KeyList.tsx"

export default KeyList
