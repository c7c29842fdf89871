/** `/operator/events` */
import { Events } from "../../features/operator/Events.tsx"

export default Events
