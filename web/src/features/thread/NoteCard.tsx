import type { ConversationNote } from "@parley/client"
import type { Person } from "../../api/people.ts"
import { Avatar } from "../../components/Avatar.tsx"
import { clock, moment } from "../../lib/format.ts"
import { t } from "../../lib/i18n.ts"
import { Text } from "./Text.tsx"

/** What somebody has noted for colleagues. The contact never sees it. */
export const NoteCard = ({ note, author }: { readonly note: ConversationNote; readonly author: Person }) => {
  const ai = author.who === "ai"
  return (
    <div
      className={`rounded-s-[4px] rounded-e-lg border-s-[3px] px-3 py-2 ${ai ? "border-ai bg-ai-soft" : "border-warn bg-warn-soft"}`}
    >
      <p className="mb-0.5 flex items-center gap-1.5 text-small">
        <Avatar name={author.name} who={author.who} size="s" />
        <b className="font-semibold">{author.name}</b>
        <span className="text-ink-2">
          {t("internal note")} ·{" "}
          <time className="num" dateTime={note.createdAt} title={moment(note.createdAt)}>
            {clock(note.createdAt)}
          </time>
        </span>
      </p>
      <Text>{note.text}</Text>
    </div>
  )
}
