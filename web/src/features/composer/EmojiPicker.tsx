/** Emoji to write and to react with, found by their names. It is fetched when it is first opened. */
import { Picker } from "../../components/Picker.tsx"
import { message, t } from "../../lib/i18n.ts"

/** Those that customer service writes, the most frequent first. A keyboard or the system's own picker has all others. */
const emoji = [
  ["🙂", message("smile")],
  ["😊", message("happy")],
  ["😀", message("grin")],
  ["😂", message("laughing")],
  ["😉", message("wink")],
  ["😍", message("delighted")],
  ["🤗", message("hug")],
  ["🤔", message("thinking")],
  ["😅", message("relieved")],
  ["😕", message("puzzled")],
  ["😔", message("sorry")],
  ["😢", message("sad")],
  ["😮", message("surprised")],
  ["🙏", message("thanks, please")],
  ["👍", message("thumbs up, good")],
  ["👎", message("thumbs down")],
  ["👌", message("all right")],
  ["👏", message("applause")],
  ["🙌", message("hurray")],
  ["👋", message("wave, hello")],
  ["💪", message("strong")],
  ["🤝", message("handshake, agreed")],
  ["❤️", message("heart")],
  ["🎉", message("celebration")],
  ["🎁", message("present, gift")],
  ["✅", message("done, check mark")],
  ["❌", message("no, cross")],
  ["⚠️", message("warning")],
  ["⏰", message("alarm clock, time")],
  ["📅", message("calendar, date")],
  ["📍", message("place, pin")],
  ["📦", message("parcel")],
  ["🚚", message("delivery")],
  ["💳", message("card, payment")],
  ["📞", message("telephone")],
  ["✉️", message("letter")],
  ["⭐", message("star")],
  ["🔥", message("fire")],
  ["☀️", message("sun")],
  ["🌸", message("flower")]
] as const

export const EmojiPicker = ({
  title,
  onChoose,
  onClose
}: {
  readonly title: string
  readonly onChoose: (sign: string) => void
  readonly onClose: () => void
}) => (
  <Picker
    title={title}
    placeholder={t("What it shows")}
    onClose={onClose}
    choices={emoji.map(([sign, name]) => ({
      id: sign,
      label: t(name),
      sign: <span className="text-title">{sign}</span>,
      run: () => onChoose(sign)
    }))}
  />
)

export default EmojiPicker
