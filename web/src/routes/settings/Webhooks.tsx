/** `/settings/webhooks` */
import { WebhookList } from "../../features/settings/webhooks/WebhookList.tsx"

export default WebhookList
