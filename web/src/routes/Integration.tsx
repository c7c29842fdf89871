/** `/integrations/{provider}` */
import { useParams } from "@tanstack/react-router"
import { IntegrationView } from "../features/integrations/IntegrationView.tsx"

const Integration = () => {
  const { provider } = useParams({ from: "/signed-in/integrations/$provider" })
  return <IntegrationView provider={provider} />
}

export default Integration
