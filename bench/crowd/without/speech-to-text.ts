/** Loaded before a service: it understands its callers by itself, over no network. */
import { replace } from "./Replacing.ts"

replace(
  new URL("../../../src/integrations/stt/SarvamSpeechToText.ts", import.meta.url),
  new URL("./MarkedSpeechToText.ts", import.meta.url)
)
