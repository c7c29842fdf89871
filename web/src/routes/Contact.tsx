/** `/contacts/{id}` */
import { useParams } from "@tanstack/react-router"
import { ContactView } from "../features/contacts/ContactView.tsx"

const Contact = () => {
  const { id } = useParams({ from: "/signed-in/contacts/$id" })
  return <ContactView key={id} id={id} />
}

export default Contact
