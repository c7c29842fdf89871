/** One conversation of an evaluation: its turns, and what is expected of the agent in each. */
import { Plus, Trash2 } from "lucide-react"
import { Button } from "../../components/Button.tsx"
import { Input, Select, TextArea } from "../../components/Field.tsx"
import { message, t } from "../../lib/i18n.ts"
import { type Act, blankTurn, type ConversationDraft, type Outcome, type TurnDraft } from "./draft.ts"
import { outcomeNames } from "./words.ts"

const acts: ReadonlyArray<readonly [Act, string]> = [
  ["contact", message("The contact writes")],
  ["human", message("A colleague writes")],
  ["handBack", message("It is given back to the agent")],
  ["resolve", message("It is resolved")]
]

const outcomes: ReadonlyArray<Outcome> = ["", "answered", "handed_over", "resolved", "silent"]

const Turn = ({
  turn,
  number,
  onChange,
  onRemove
}: {
  readonly turn: TurnDraft
  readonly number: number
  readonly onChange: (turn: TurnDraft) => void
  readonly onRemove: (() => void) | undefined
}) => (
  <fieldset className="flex flex-col gap-2 rounded-lg bg-sunken p-2.5">
    <legend className="sr-only">{t("Turn {n}", { n: number })}</legend>
    <Select
      label={t("What happens")}
      value={turn.act}
      options={acts.map(([act, name]) => [act, t(name)])}
      onChange={(event) => {
        const found = acts.find(([act]) => act === event.target.value)
        if (found !== undefined) onChange({ ...turn, act: found[0] })
      }}
    />
    {(turn.act === "contact" || turn.act === "human") && (
      <TextArea
        label={t("Text")}
        hint={turn.act === "contact" ? t("Each line is a message.") : undefined}
        rows={2}
        maxLength={4_000}
        dir="auto"
        value={turn.text}
        onChange={(event) => onChange({ ...turn, text: event.target.value })}
      />
    )}
    {(turn.act === "contact" || turn.act === "handBack") && (
      <>
        <TextArea
          label={t("What the answer says")}
          hint={t("A sentence a line, e.g. “The order is ready.” A model judges it.")}
          rows={2}
          maxLength={4_000}
          dir="auto"
          value={turn.says}
          onChange={(event) => onChange({ ...turn, says: event.target.value })}
        />
        <Select
          label={t("What comes of it")}
          value={turn.outcome}
          options={outcomes.map((one) => [one, one === "" ? t("Nothing special") : t(outcomeNames[one])])}
          onChange={(event) => {
            const found = outcomes.find((one) => one === event.target.value)
            if (found !== undefined) onChange({ ...turn, outcome: found })
          }}
        />
      </>
    )}
    {onRemove !== undefined && (
      <Button
        small
        tone="quiet"
        icon={Trash2}
        className="self-end"
        label={t("Remove turn {n}", { n: number })}
        onClick={onRemove}
      />
    )}
  </fieldset>
)

export const ConversationFields = ({
  conversation,
  number,
  onChange,
  onRemove
}: {
  readonly conversation: ConversationDraft
  readonly number: number
  readonly onChange: (conversation: ConversationDraft) => void
  readonly onRemove: (() => void) | undefined
}) => {
  const { name, turns } = conversation
  const set = (next: ReadonlyArray<TurnDraft>) => onChange({ ...conversation, turns: next })
  return (
    <fieldset className="flex flex-col gap-2.5 rounded-control border border-line p-3">
      <legend className="px-1 text-small font-medium text-ink-2">{t("Conversation {n}", { n: number })}</legend>
      <Input
        label={t("What it is about")}
        maxLength={200}
        dir="auto"
        value={name}
        onChange={(event) => onChange({ ...conversation, name: event.target.value })}
      />
      {turns.map((turn, at) => (
        <Turn
          key={turn.key}
          turn={turn}
          number={at + 1}
          onChange={(next) => set(turns.with(at, next))}
          onRemove={turns.length === 1 ? undefined : () => set(turns.toSpliced(at, 1))}
        />
      ))}
      <div className="flex flex-wrap gap-2">
        <Button small icon={Plus} disabled={turns.length >= 50} onClick={() => set([...turns, blankTurn()])}>
          {t("Another turn")}
        </Button>
        {onRemove !== undefined && (
          <Button small tone="quiet" icon={Trash2} onClick={onRemove}>
            {t("Remove the conversation")}
          </Button>
        )}
      </div>
    </fieldset>
  )
}
