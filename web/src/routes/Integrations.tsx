/** `/integrations`: what is connected, and what can be. */
import { IntegrationList } from "../features/integrations/IntegrationList.tsx"

export default IntegrationList
