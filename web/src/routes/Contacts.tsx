/** `/contacts` */
import { ContactList } from "../features/contacts/ContactList.tsx"

export default ContactList
