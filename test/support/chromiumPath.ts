/** Where Chromium is on this machine. */
import { existsSync } from "node:fs"

/** `CHROMIUM` names another one. */
const candidates = [
  process.env.CHROMIUM ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
]

/** The path of Chromium; undefined when the machine has none. */
export const chromiumPath = (): string | undefined => candidates.find((path) => path !== "" && existsSync(path))

export const howToInstallChromium =
  "Chromium is not installed. Debian: apt-get install chromium. Elsewhere: set CHROMIUM to the path of a Chrome or Chromium."
