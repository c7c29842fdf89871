/** `/inbox`: what contacts wrote and said, and the answers. */
import { ConversationList } from "../features/inbox/ConversationList.tsx"
import { ConversationPane } from "../features/inbox/ConversationPane.tsx"

const Inbox = () => (
  <div className="flex min-h-0 flex-1">
    <ConversationList />
    <ConversationPane />
  </div>
)

export default Inbox
