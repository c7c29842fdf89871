/** Where a place is: read from what a person copies out of a map. */

export interface Position {
  readonly latitude: number
  readonly longitude: number
}

const degrees = String.raw`(-?\d{1,3}(?:\.\d{1,15})?)`
const pair = String.raw`${degrees}(?:\s*,\s*|\s+)${degrees}`

/** The forms of coordinates and of the links of maps, from the one that says most exactly where a pin is. */
const forms = [
  new RegExp(`^${pair}$`),
  new RegExp(`^geo:${pair}(?:[;?]|$)`),
  // OpenStreetMap: a marker, and the middle of what is shown.
  new RegExp(`[?&]mlat=${degrees}&mlon=${degrees}(?:[&#]|$)`),
  // Google: the pin, a search, the middle of what is shown.
  new RegExp(`!3d${degrees}!4d${degrees}(?:[!?&#]|$)`),
  new RegExp(`[?&](?:q|query|ll|center|destination)=(?:loc:)?${pair}(?:[&#]|$)`),
  new RegExp(`/@${pair}(?:,|$)`),
  new RegExp(`#map=[0-9]{1,2}(?:[.][0-9]+)?/${degrees}/${degrees}(?:[/&]|$)`)
]

/** The place that coordinates or the link of a map name; `undefined` when they name none. */
export const readPlace = (text: string): Position | undefined => {
  const plain = text.trim().replaceAll("%2C", ",").replaceAll("%2c", ",")
  for (const form of forms) {
    const found = form.exec(plain)
    if (found === null) continue
    const [latitude, longitude] = [Number(found[1]), Number(found[2])]
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude }
  }
  return undefined
}
