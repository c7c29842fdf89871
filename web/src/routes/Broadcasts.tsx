/** `/broadcasts`: one template to many contacts. */
import { BroadcastList } from "../features/broadcasts/BroadcastList.tsx"

export default BroadcastList
