/** Loaded before a service: replaces its speech-to-text by one within the process, without a network. */
import { replace } from "./Replacing.ts"

replace(
  new URL("../../../src/integrations/stt/SarvamSpeechToText.ts", import.meta.url),
  new URL("./MarkedSpeechToText.ts", import.meta.url)
)
