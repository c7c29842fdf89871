/** `/`: what is to be set up until the first call; afterwards, and for those who set nothing up, the inbox. */
import { Navigate } from "@tanstack/react-router"
import { useSession } from "../api/session.tsx"
import { Skeleton } from "../components/States.tsx"
import { Checklist, useStart } from "../features/start/Checklist.tsx"
import { isAdmin } from "../lib/can.ts"

const Start = () => {
  const admin = isAdmin(useSession())
  const { data, isPending } = useStart(admin)
  if (!admin || (data !== undefined && data.calls > 0)) return <Navigate to="/inbox" replace />
  return isPending ? <Skeleton className="m-6 h-40 max-w-[720px]" /> : <Checklist />
}

export default Start
