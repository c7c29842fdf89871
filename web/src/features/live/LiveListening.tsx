/** The buttons to hear a running call, and to talk in it in the agent's place. */
import type { LiveCall } from "@parley/client"
import { Ear, EarOff, Mic, Undo2 } from "lucide-react"
import { Button } from "../../components/Button.tsx"
import { t } from "../../lib/i18n.ts"
import { useKeys } from "../../lib/keyboard.ts"
import { useActions } from "../shell/actions.ts"
import { isWithPerson } from "./live.ts"
import { useListening } from "./useListening.ts"

export const LiveListening = ({ call }: { readonly call: LiveCall }) => {
  const withPerson = isWithPerson(call)
  const { state, listen, stop, takeOver, handBack } = useListening(call.id, withPerson)
  const listens = state !== "off"
  const toggle = () => {
    if (listens) stop()
    else void listen()
  }
  const talks = withPerson || state === "talking"
  const change = () => {
    if (state !== "opening") void (talks ? handBack() : takeOver())
  }
  const listenName = listens ? t("Stop listening") : t("Listen")
  const changeName = talks ? t("Hand back to the agent") : t("Take over")
  useKeys({ l: toggle, o: change })
  useActions([
    { id: "listen", label: listenName, keys: "L", group: t("This call"), run: toggle },
    { id: "takeOver", label: changeName, keys: "O", group: t("This call"), run: change }
  ])
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={listens ? EarOff : Ear}
          keys="L"
          className="flex-1"
          aria-pressed={listens}
          disabled={state === "opening"}
          onClick={toggle}
        >
          {listenName}
        </Button>
        <Button
          icon={talks ? Undo2 : Mic}
          keys="O"
          tone={talks ? "primary" : "plain"}
          className="flex-1"
          disabled={state === "opening"}
          onClick={change}
        >
          {changeName}
        </Button>
      </div>
      <p role="status" className="text-small text-ink-3">
        {state === "opening" && t("Connecting…")}
        {state === "listening" && !withPerson && t("You hear both sides. Nobody hears you.")}
        {state === "talking" && (withPerson ? t("The caller hears you.") : t("The agent is announcing you…"))}
        {state !== "talking" && withPerson && t("A colleague has this call.")}
      </p>
    </>
  )
}
