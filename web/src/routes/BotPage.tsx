/** `/bots/{id}/{section}` */
import { useParams } from "@tanstack/react-router"
import { BotEditor } from "../features/bots/BotEditor.tsx"
import { botSections } from "../features/bots/words.ts"

const BotPage = () => {
  const { id, section } = useParams({ from: "/signed-in/bots/$id/$section" })
  return <BotEditor key={id} id={id} section={botSections.find((one) => one === section) ?? "basics"} />
}

export default BotPage
