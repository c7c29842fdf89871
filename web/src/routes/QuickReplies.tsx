/** `/quick-replies`: texts that people send often. */
import { QuickReplyList } from "../features/quickReplies/QuickReplyList.tsx"

export default QuickReplyList
