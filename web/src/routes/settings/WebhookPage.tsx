/** `/settings/webhooks/{id}` */
import { useParams, useSearch } from "@tanstack/react-router"
import { WebhookView } from "../../features/settings/webhooks/WebhookView.tsx"

const from = "/signed-in/settings-frame/settings/webhooks/$id"

const WebhookPage = () => {
  const { id } = useParams({ from })
  const { delivery } = useSearch({ from })
  return <WebhookView key={id} id={id} delivery={delivery} />
}

export default WebhookPage
