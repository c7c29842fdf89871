/** `/analytics/{tab}` */
import { useParams } from "@tanstack/react-router"
import { AnalyticsView, tabOf } from "../features/analytics/AnalyticsView.tsx"

const Analytics = () => {
  const { tab } = useParams({ from: "/signed-in/analytics/$tab" })
  return <AnalyticsView tab={tabOf(tab)} />
}

export default Analytics
