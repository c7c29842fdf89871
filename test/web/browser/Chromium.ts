/** The browser of the stories: Chromium of the machine, driven by `playwright-core`, which downloads none. */
import { type Browser, chromium } from "playwright-core"
import { chromiumPath, howToInstallChromium } from "../../support/chromiumPath.ts"

/** A microphone that nobody is asked for: it gives tones, or the WAV file of `--use-file-for-fake-audio-capture=`. */
const fakeMicrophone = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]

/** Starts Chromium without a window. Throws when there is none. */
export const startChromium = async (more: ReadonlyArray<string> = []): Promise<Browser> => {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error(howToInstallChromium)
  // Within a container there is no sandbox for root; the pages are our own.
  const args = ["--no-sandbox", "--disable-dev-shm-usage", ...fakeMicrophone, ...more]
  return chromium.launch({ executablePath, args })
}
