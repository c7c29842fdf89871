/** `/bots`: the text agents of the organization. */
import { BotList } from "../features/bots/BotList.tsx"

export default BotList
