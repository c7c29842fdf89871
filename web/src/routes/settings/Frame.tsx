/** Around all pages of the settings. */
import { SettingsFrame } from "../../features/settings/SettingsFrame.tsx"

export default SettingsFrame
