/** A place to send: the contact sees it on a map. */
import type { NewMessage } from "@parley/client"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { Dialog } from "../../components/Dialog.tsx"
import { Input } from "../../components/Field.tsx"
import { t } from "../../lib/i18n.ts"
import { readPlace } from "./place.ts"

const mostCharacters = 1_000

export const PlaceForm = ({
  to,
  onSend,
  onClose
}: {
  readonly to: string
  readonly onSend: (body: NewMessage) => void
  readonly onClose: () => void
}) => {
  const [typed, setTyped] = useState("")
  const [name, setName] = useState("")
  const [address, setAddress] = useState("")
  const place = readPlace(typed)
  const whole = place !== undefined && name.trim() !== ""
  return (
    <Dialog title={t("Send a place")} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (place === undefined || !whole) return
          onClose()
          const said = address.trim()
          onSend({ to, type: "location", ...place, name: name.trim(), ...(said === "" ? {} : { address: said }) })
        }}
      >
        <Input
          label={t("Where it is")}
          hint={
            place === undefined
              ? t("Coordinates like 18.93980, 72.83550, or the link of a map that has them.")
              : t("Latitude {latitude}, longitude {longitude}.", {
                  latitude: place.latitude.toFixed(5),
                  longitude: place.longitude.toFixed(5)
                })
          }
          problem={
            typed.trim() !== "" && place === undefined
              ? t("There are no coordinates in this. Open the place on the map and copy its coordinates.")
              : undefined
          }
          value={typed}
          maxLength={2_048}
          required
          onChange={(event) => setTyped(event.target.value)}
        />
        <Input
          label={t("Name")}
          value={name}
          maxLength={mostCharacters}
          required
          onChange={(event) => setName(event.target.value)}
        />
        <Input
          label={t("Address, if it has one")}
          value={address}
          maxLength={mostCharacters}
          onChange={(event) => setAddress(event.target.value)}
        />
        <Button tone="primary" type="submit" disabled={!whole} className="self-end">
          {t("Send place")}
        </Button>
      </form>
    </Dialog>
  )
}
