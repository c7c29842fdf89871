/** Time zones to choose from, by the names that people of today use: browsers still say some older ones. */

const renamed: Readonly<Record<string, string>> = {
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Europe/Kiev": "Europe/Kyiv",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Indianapolis": "America/Indiana/Indianapolis"
}

const today = (zone: string): string => renamed[zone] ?? zone

/** The zone of this browser. */
export const ownTimeZone = (): string => today(Intl.DateTimeFormat().resolvedOptions().timeZone)

/** All zones that the browser knows, its own among them, as choices of a `Select`. */
export const timeZones = (): ReadonlyArray<readonly [zone: string, name: string]> =>
  [...new Set([...Intl.supportedValuesOf("timeZone").map(today), ownTimeZone()])]
    .toSorted()
    .map((zone) => [zone, zone.replaceAll("_", " ")] as const)
