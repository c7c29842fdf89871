/** `/calls/{id}` */
import { useParams } from "@tanstack/react-router"
import { CallView } from "../features/calls/CallView.tsx"

const CallPage = () => {
  const { id } = useParams({ from: "/signed-in/calls/$id" })
  return <CallView key={id} id={id} />
}

export default CallPage
