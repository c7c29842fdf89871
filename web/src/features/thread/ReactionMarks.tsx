/** The reactions to a message. A press on ours takes it back. */
import { cx } from "../../lib/classes.ts"
import { t } from "../../lib/i18n.ts"
import type { Reactions } from "./reactions.ts"

const look = "rounded-full border border-line bg-raised px-1.5"

export const ReactionMarks = ({
  reactions: { theirs, ours, pending },
  onTakeBack
}: {
  readonly reactions: Reactions
  readonly onTakeBack: (() => void) | undefined
}) => (
  <span className="relative -mt-2 flex gap-1">
    {theirs && (
      <span role="img" className={look} aria-label={t("Reacted {emoji}", { emoji: theirs })}>
        {theirs}
      </span>
    )}
    {ours &&
      (onTakeBack === undefined ? (
        <span role="img" className={look} aria-label={t("We reacted {emoji}", { emoji: ours })}>
          {ours}
        </span>
      ) : (
        <button
          type="button"
          className={cx(look, "min-h-6 hover:bg-hover pointer-coarse:min-h-11", pending && "opacity-60")}
          aria-label={t("We reacted {emoji}. Take it back", { emoji: ours })}
          title={t("Take it back")}
          onClick={onTakeBack}
        >
          {ours}
        </button>
      ))}
  </span>
)
