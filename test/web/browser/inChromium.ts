import { describe } from "vitest"
import { chromiumPath, howToInstallChromium } from "../../support/chromiumPath.ts"
import { playsInRealTime } from "../../support/Slowness.ts"

/** Stories in Chromium, by the clock. Where there is none they are skipped, with the line that installs it in their name; in CI they fail. */
export const inChromium = (name: string, tell: () => void): void => {
  const missing = chromiumPath() === undefined && (process.env.CI ?? "") === ""
  describe.skipIf(missing)(missing ? `${name} (${howToInstallChromium})` : name, () => {
    playsInRealTime()
    tell()
  })
}
