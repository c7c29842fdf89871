/** `/broadcasts/{id}` */
import { useParams } from "@tanstack/react-router"
import { BroadcastView } from "../features/broadcasts/BroadcastView.tsx"

const Broadcast = () => {
  const { id } = useParams({ from: "/signed-in/broadcasts/$id" })
  return <BroadcastView key={id} id={id} />
}

export default Broadcast
