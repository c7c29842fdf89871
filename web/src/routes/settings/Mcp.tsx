/** `/settings/mcp` */
import { McpSettings } from "../../features/settings/mcp/McpSettings.tsx"

export default McpSettings
