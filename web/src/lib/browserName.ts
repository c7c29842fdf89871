/** What a browser is called, from what it called itself: `Firefox, Windows`. */

const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b|\biPad\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b|\bCrOS\b/, "Linux"]
]

/** Browser and system, as far as they are known; another program by the first word of what it says, undefined when it says nothing. */
export const browserName = (userAgent: string | null): string | undefined => {
  if (userAgent === null || userAgent.trim() === "") return undefined
  const find = (names: ReadonlyArray<readonly [RegExp, string]>) => names.find(([sign]) => sign.test(userAgent))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  if (browser === undefined) return userAgent.trim().split(/[\s/]/)[0]
  return system === undefined ? browser : `${browser}, ${system}`
}
