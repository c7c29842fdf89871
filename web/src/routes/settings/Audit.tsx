/** `/settings/audit` */
import { AuditLog } from "../../features/settings/audit/AuditLog.tsx"

export default AuditLog
