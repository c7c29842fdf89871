/** The way to a new record from the list of such: a button, the key N, and an action of the palette. */
import { type LucideIcon, Plus } from "lucide-react"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { useKeys } from "../../lib/keyboard.ts"
import { useActions } from "./actions.ts"

/** `may`: whether this person may make one. `button` is false for who may not. */
export const useMaking = (id: string, label: string, icon: LucideIcon, may: boolean) => {
  const [making, setMaking] = useState(false)
  const make = () => {
    if (may) setMaking(true)
  }
  useKeys({ n: make })
  useActions(may ? [{ id, label, icon, keys: "N", run: make }] : [])
  return {
    making,
    close: () => setMaking(false),
    button: may && (
      <Button tone="primary" icon={Plus} keys="N" onClick={make}>
        {label}
      </Button>
    )
  }
}
