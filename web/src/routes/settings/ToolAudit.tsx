/** `/settings/tool-audit` */
import { ToolAudit } from "../../features/settings/audit/ToolAudit.tsx"

export default ToolAudit
