/** What a message says, by its type. Whatever comes from outside is text: nothing in it is ever markup. */
import type { Message } from "@parley/client"
import { Contact, FileText, MapPin, ShoppingBag } from "lucide-react"
import { Chip } from "../../components/Chip.tsx"
import { Icon } from "../../components/Icon.tsx"
import { t } from "../../lib/i18n.ts"
import { type Fields, fieldsOf, listOf, numberOf, textOf } from "../../lib/record.ts"
import { messageText } from "../../lib/words.ts"
import { Text } from "./Text.tsx"

const mediaUrl = (id: string, inline = true) => `/api/media/${encodeURIComponent(id)}${inline ? "?inline=true" : ""}`

const Pending = ({ error }: { readonly error: string | undefined }) => (
  <span className="flex min-h-14 items-center rounded-lg border border-line bg-surface px-3 text-ink-3">
    {error ?? t("The file is on its way.")}
  </span>
)

const File = ({ id, content }: { readonly id: string; readonly content: Fields }) => (
  <a
    href={mediaUrl(id, false)}
    download
    className="flex items-center gap-2.5 rounded-lg border border-line bg-surface px-3 py-2 hover:bg-hover"
  >
    <Icon of={FileText} className="text-ink-3" />
    <bdi className="min-w-0 truncate">{textOf(content.filename) ?? t("File")}</bdi>
  </a>
)

/** A file that came with a message; files come after their message. */
const Media = ({ message: { type, content } }: { readonly message: Message }) => {
  const id = textOf(content.mediaId)
  const link = textOf(content.mediaUrl)
  if (id === undefined)
    return link === undefined ? (
      <Pending error={textOf(content.mediaError)} />
    ) : (
      // Files at other addresses are not loaded: their owner would learn who reads what.
      <span className="flex items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2">
        <Icon of={FileText} className="text-ink-3" />
        <bdi className="min-w-0 truncate">{link}</bdi>
      </span>
    )
  switch (type) {
    case "image":
    case "sticker":
      return (
        <a href={mediaUrl(id)} target="_blank" rel="noreferrer" className="block">
          <img
            src={mediaUrl(id)}
            alt={textOf(content.caption) ?? (type === "sticker" ? t("Sticker") : t("Photo"))}
            loading="lazy"
            className={
              type === "sticker"
                ? "size-32 object-contain"
                : "max-h-72 min-h-16 max-w-full rounded-lg border border-line bg-surface object-contain"
            }
          />
        </a>
      )
    case "audio":
      return (
        <audio
          controls
          preload="none"
          src={mediaUrl(id)}
          aria-label={t("Voice message")}
          className="h-10 w-64 max-w-full"
        />
      )
    case "video":
      return (
        <video
          controls
          preload="none"
          src={mediaUrl(id)}
          aria-label={t("Video")}
          className="max-h-72 max-w-full rounded-lg bg-sunken"
        />
      )
    default:
      return <File id={id} content={content} />
  }
}

const Buttons = ({ interactive }: { readonly interactive: Fields }) => {
  const action = fieldsOf(interactive.action)
  const titles = [
    ...listOf(action.buttons).map((button) => textOf(fieldsOf(button.reply).title)),
    ...listOf(action.sections).flatMap((section) => listOf(section.rows).map((row) => textOf(row.title)))
  ].flatMap((title) => title ?? [])
  if (titles.length === 0) return null
  return (
    <ul className="mt-2 flex flex-wrap gap-1" aria-label={t("Buttons")}>
      {titles.map((title) => (
        <li key={title}>
          <Chip>{title}</Chip>
        </li>
      ))}
    </ul>
  )
}

const Place = ({ content }: { readonly content: Fields }) => {
  const [latitude, longitude] = [numberOf(content.latitude), numberOf(content.longitude)]
  return (
    <span className="flex items-start gap-2">
      <Icon of={MapPin} className="mt-0.5" />
      <span dir="auto">
        {textOf(content.name) ?? t("Location")}
        {textOf(content.address) !== undefined && <span className="block text-ink-2">{textOf(content.address)}</span>}
        {latitude !== undefined && longitude !== undefined && (
          <a
            href={`https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}`}
            target="_blank"
            rel="noreferrer noopener"
            title={t("Open on the map")}
            className="num block text-small text-ink-2 underline underline-offset-2"
          >
            {latitude.toFixed(5)}, {longitude.toFixed(5)}
          </a>
        )}
      </span>
    </span>
  )
}

const Cards = ({ content }: { readonly content: Fields }) => (
  <ul className="flex flex-col gap-1.5">
    {listOf(content.contacts).map((card, index) => (
      <li key={index} className="flex items-start gap-2">
        <Icon of={Contact} className="mt-0.5" />
        <span>
          <bdi>{textOf(fieldsOf(card.name).formatted_name) ?? t("Contact card")}</bdi>
          {[
            textOf(fieldsOf(card.org).company),
            ...listOf(card.phones).map(({ phone }) => textOf(phone)),
            ...listOf(card.emails).map(({ email }) => textOf(email))
          ].map(
            (line) =>
              line !== undefined && (
                <bdi key={line} className="num block text-small text-ink-2">
                  {line}
                </bdi>
              )
          )}
        </span>
      </li>
    ))}
  </ul>
)

export const MessageBody = ({ message }: { readonly message: Message }) => {
  const { type, content } = message
  const text = messageText(message)
  switch (type) {
    case "image":
    case "video":
    case "audio":
    case "document":
    case "sticker":
      return (
        <div className="flex flex-col gap-1.5">
          <Media message={message} />
          {text !== undefined && <Text>{text}</Text>}
          {type === "audio" && textOf(content.transcript) !== undefined && (
            <div>
              <span className="block text-label text-ink-2">{t("In words")}</span>
              <Text>{textOf(content.transcript) ?? ""}</Text>
            </div>
          )}
        </div>
      )
    case "location":
      return <Place content={content} />
    case "contact":
      return <Cards content={content} />
    case "reaction":
      return <span className="text-figure">{textOf(content.emoji) ?? t("Took a reaction back")}</span>
    case "interactive":
      return (
        <>
          {text !== undefined && <Text>{text}</Text>}
          <Buttons interactive={fieldsOf(content.interactive)} />
        </>
      )
    case "template":
      return (
        <>
          {text === undefined ? (
            <span>{t("Template {name}", { name: textOf(content.templateName) ?? "" })}</span>
          ) : (
            <Text>{text}</Text>
          )}
          <span className="mt-1 block text-label text-ink-2">{t("Template")}</span>
        </>
      )
    case "order":
      return (
        <span className="flex items-start gap-2">
          <Icon of={ShoppingBag} className="mt-0.5" />
          <span>
            {t("{count, plural, one {# product from the catalog} other {# products from the catalog}}", {
              count: listOf(fieldsOf(content.order).product_items).length
            })}
          </span>
        </span>
      )
    case "unsupported":
      return <span className="text-ink-2">{t("A kind of message that cannot be shown")}</span>
    default:
      return <Text>{text ?? ""}</Text>
  }
}
