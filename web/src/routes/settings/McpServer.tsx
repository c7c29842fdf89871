/** `/settings/mcp/{id}` */
import { useParams } from "@tanstack/react-router"
import { ServerView } from "../../features/settings/mcp/ServerView.tsx"

const McpServerPage = () => {
  const { id } = useParams({ from: "/signed-in/settings-frame/settings/mcp/$id" })
  return <ServerView key={id} id={id} />
}

export default McpServerPage
